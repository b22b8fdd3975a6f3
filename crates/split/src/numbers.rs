//! The numbers of functions and globals in the two parts.

use wasm_encoder::reencode::{Error, Reencode};

use crate::module::said;
use crate::plan::{Plan, Role};

/// Writes things as they were read.
pub struct Same;

impl Reencode for Same {
    type Error = String;
}

/// The numbers of functions and globals in a part.
pub struct Numbers {
    functions: Vec<Option<u32>>,
    globals: Vec<Option<u32>>,
    /// The number of the first function that the module does not have under this number: in the rest,
    /// of those that moved.
    pub own: u32,
}

impl Numbers {
    /// Those of this part.
    pub fn of_first(plan: &Plan<'_>) -> Self {
        let mut next = 0;
        let number = |role: &Role| {
            let stays = *role != Role::Gone;
            next += u32::from(stays);
            stays.then(|| next - 1)
        };
        let functions = plan.roles.iter().map(number).collect();
        let globals = (0..).zip(&plan.module.globals).map(|(number, _)| Some(number)).collect();
        Self { functions, globals, own: plan.stays() }
    }

    /// Those of this part.
    pub fn of_rest(plan: &Plan<'_>) -> Result<Self, String> {
        let mut functions = vec![None; plan.module.functions.len()];
        let mut globals = vec![None; plan.module.globals.len()];
        for (new, old) in (0..).zip(&plan.globals) {
            globals[*old as usize] = Some(new);
        }
        for (new, old) in (0..).zip(plan.shared.iter().chain(&plan.moved)) {
            functions[*old as usize] = Some(new);
        }
        let own = u32::try_from(plan.shared.len()).map_err(said)?;
        for (new, old) in (own + plan.moved_count()..).zip(&plan.copied) {
            functions[*old as usize] = Some(new);
        }
        Ok(Self { functions, globals, own })
    }
}

impl Reencode for Numbers {
    type Error = String;

    fn function_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.functions.get(old as usize).copied().flatten();
        new.ok_or_else(|| Error::UserError(format!("function {old} is not in this part")))
    }

    fn global_index(&mut self, old: u32) -> Result<u32, Error<String>> {
        let new = self.globals.get(old as usize).copied().flatten();
        new.ok_or_else(|| Error::UserError(format!("global {old} is not in this part")))
    }
}
