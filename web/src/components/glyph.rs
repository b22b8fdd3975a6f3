//! A message as a small sign in a line of text: colour is the key, shape is the state.

use broker::MessageId;
use player::MessageState;
use yew::Html;

use crate::map::mark::group;
use crate::markup::Mark;
use crate::token::{self, Focus, Look, Taint, Token};

/// What a glyph shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// Where the message is in its life.
    pub state: MessageState,
    /// Which of the run's keys it carries, from 0.
    pub key: u16,
}

impl Glyph {
    /// The sign of a message in this state, with its number or without.
    fn token(self, number: Option<u32>) -> Token {
        Token {
            look: Look::State(self.state),
            key: self.key,
            number,
            attempt: None,
            taint: Taint::Sound,
            focus: Focus::Other,
        }
    }
}

/// The sign, `size` pixels wide; decoration beside words that say the same.
pub fn glyph(mark: Glyph, size: u32) -> Html {
    token::glyph(mark.token(None), size)
}

/// The same with the number of its message, where there is room for it: beside it stand words.
pub fn numbered(mark: Glyph, message: MessageId, size: u32) -> Html {
    let room = token::carries_number(Look::State(mark.state));
    token::glyph(mark.token(room.then_some(message.number())), size)
}

/// The same inside a picture, around the origin.
pub fn token(mark: Glyph, number: Option<u32>) -> Mark {
    let token = mark.token(number);
    group(token.class()).all(token::shapes(token, None))
}
