//! Layered retries: each layer that retries multiplies the calls of the one below.
//!
//! Three attempts at each of three layers are up to 27 calls at the bottom: "Addressing Cascading
//! Failures", *Site Reliability Engineering* (Beyer et al., 2016), ch. 22.

/// How many calls each layer makes to the next when the one at the bottom always fails, given the
/// attempts of each layer from the top down. The last number is what reaches the bottom.
#[must_use]
pub fn worst_case(attempts: &[u32]) -> Vec<u64> {
    let mut calls = 1_u64;
    attempts
        .iter()
        .map(|attempts| {
            calls = calls.saturating_mul(u64::from(*attempts));
            calls
        })
        .collect()
}

/// Several layers, each retrying the one below: a request counts its calls as it goes down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layers {
    attempts: Vec<u32>,
    calls: Vec<u64>,
}

impl Layers {
    /// Layers with these attempts, from the top down.
    #[must_use]
    pub fn new(attempts: &[u32]) -> Self {
        Self { attempts: attempts.to_vec(), calls: vec![0; attempts.len()] }
    }

    /// One request from the top. `bottom` is asked for each call that reaches it, by number from 1,
    /// whether it succeeds. Tells whether the request succeeded.
    pub fn request(&mut self, mut bottom: impl FnMut(u64) -> Reply) -> Reply {
        self.ask(0, &mut bottom)
    }

    /// How many calls each layer has made to the next, from the top down.
    #[must_use]
    pub fn calls(&self) -> &[u64] {
        &self.calls
    }

    fn ask(&mut self, layer: usize, bottom: &mut impl FnMut(u64) -> Reply) -> Reply {
        let Some(attempts) = self.attempts.get(layer).copied() else {
            return bottom(self.calls.last().copied().unwrap_or(1));
        };
        for _ in 0..attempts {
            self.calls[layer] += 1;
            if self.ask(layer + 1, bottom) == Reply::Success {
                return Reply::Success;
            }
        }
        Reply::Failure
    }
}

/// What came back from a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// It worked.
    Success,
    /// It did not.
    Failure,
}
