//! The way to the value that a reader stands at.

use std::fmt;
use std::rc::Rc;

use super::pointer::Escaped;

/// One step into a document.
#[derive(Debug)]
pub(super) enum Token<'a> {
    /// To a field of a record.
    Name(&'a str),
    /// To an entry of a list.
    Index(usize),
}

/// The way to a value, shared with its neighbours: a reader costs one small allocation.
#[derive(Clone, Debug)]
pub(super) struct Place<'a>(Option<Rc<(Place<'a>, Token<'a>)>>);

impl<'a> Place<'a> {
    /// The whole document.
    pub(super) fn root() -> Self {
        Self(None)
    }

    /// One step further in.
    pub(super) fn inner(&self, token: Token<'a>) -> Self {
        Self(Some(Rc::new((self.clone(), token))))
    }

    /// The steps from the root, as text.
    pub(super) fn tokens(&self, visit: &mut dyn FnMut(String)) {
        if let Some(step) = &self.0 {
            step.0.tokens(visit);
            visit(match &step.1 {
                Token::Name(name) => (*name).to_owned(),
                Token::Index(at) => at.to_string(),
            });
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(step) = &self.0 else { return Ok(()) };
        step.0.fmt(f)?;
        match &step.1 {
            Token::Name(name) => write!(f, "/{}", Escaped(name)),
            Token::Index(at) => write!(f, "/{at}"),
        }
    }
}
