//! A JSON value that knows where it stands, so that a complaint can say so.

use serde_json::Value;

use super::Problem;

/// A value and the JSON pointer to it.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    value: &'a Value,
    pointer: String,
}

impl<'a> Node<'a> {
    pub fn root(value: &'a Value) -> Self {
        Self { value, pointer: String::new() }
    }

    pub fn value(&self) -> &'a Value {
        self.value
    }

    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    pub fn problem(&self, problem: &str, repair: &str) -> Problem {
        let (problem, repair) = (problem.to_owned(), repair.to_owned());
        Problem { pointer: self.pointer.clone(), problem, repair }
    }

    /// The member with this key, if there is one and it is not null.
    pub fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(self.child(key, value))
    }

    /// The member with this key.
    pub fn need(&self, key: &str, repair: &str) -> Result<Self, Problem> {
        self.get(key).ok_or_else(|| self.problem(&format!("\"{key}\" is missing"), repair))
    }

    /// The members.
    pub fn members(&self) -> Result<Vec<(&'a str, Self)>, Problem> {
        let Value::Object(members) = self.value else {
            return Err(self.problem("not an object", "write an object here"));
        };
        Ok(members.iter().map(|(key, value)| (key.as_str(), self.child(key, value))).collect())
    }

    /// The items of a list.
    pub fn items(&self) -> Result<Vec<Self>, Problem> {
        let Value::Array(items) = self.value else {
            return Err(self.problem("not a list", "write a list here"));
        };
        let nodes = items.iter().enumerate();
        Ok(nodes.map(|(index, value)| self.child(&index.to_string(), value)).collect())
    }

    pub fn text(&self) -> Result<&'a str, Problem> {
        self.value.as_str().ok_or_else(|| self.problem("not a text", "write a text here"))
    }

    /// A number, also one written as a text, as SQS attributes are.
    pub fn number(&self) -> Result<f64, Problem> {
        let number = match self.value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.problem("not a number", "write a number here"))
    }

    /// A whole number from 0.
    pub fn whole(&self) -> Result<u32, Problem> {
        let number = self.number()?;
        let whole = number as u32;
        if f64::from(whole) == number {
            return Ok(whole);
        }
        Err(self.problem("not a whole number from 0 to 4294967295", "write such a number here"))
    }

    pub fn truth(&self) -> Result<bool, Problem> {
        self.value.as_bool().ok_or_else(|| self.problem("not true or false", "write one of them"))
    }

    fn child(&self, key: &str, value: &'a Value) -> Self {
        let key = key.replace('~', "~0").replace('/', "~1");
        Self { value, pointer: format!("{}/{key}", self.pointer) }
    }
}
