//! The words of a formula, each with its column.

use scenario::wire::parse_number;

use super::{Fault, Operator};

/// A word of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Word<'t> {
    Number(f64),
    Name(&'t str),
    Sign(Operator),
    Open,
    Close,
    Comma,
    End,
}

/// A word and the column where it begins, from 1.
pub type Placed<'t> = (usize, Word<'t>);

/// The words of a text; the last is always the end.
pub fn words(text: &str) -> Result<Vec<Placed<'_>>, Fault> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let column = text[..text.len() - rest.len()].chars().count() + 1;
        let Some(first) = rest.chars().next() else {
            found.push((column, Word::End));
            return Ok(found);
        };
        let (word, length) = if first.is_ascii_digit() || first == '.' {
            number(rest, column)?
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let end = end.unwrap_or(rest.len());
            (Word::Name(&rest[..end]), end)
        } else {
            sign(rest, first, column)?
        };
        found.push((column, word));
        rest = &rest[length..];
    }
}

fn number(rest: &str, column: usize) -> Result<(Word<'_>, usize), Fault> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
    match parse_number(&rest[..end]) {
        Some(number) => Ok((Word::Number(number), end)),
        None => Err(Fault {
            column,
            problem: ["“", &rest[..end], "” is not a number"].concat(),
            repair: "write digits, and a fraction after a point, like 0.75".to_owned(),
        }),
    }
}

fn sign(rest: &str, first: char, column: usize) -> Result<(Word<'_>, usize), Fault> {
    let two = rest.get(..2).unwrap_or_default();
    let double = match two {
        "<=" => Some(Operator::AtMost),
        ">=" => Some(Operator::AtLeast),
        "!=" => Some(Operator::NotEqual),
        _ => None,
    };
    if let Some(operator) = double {
        return Ok((Word::Sign(operator), 2));
    }
    let word = match first {
        '+' => Word::Sign(Operator::Plus),
        '-' => Word::Sign(Operator::Minus),
        '*' => Word::Sign(Operator::Times),
        '/' => Word::Sign(Operator::Over),
        '^' => Word::Sign(Operator::Power),
        '<' => Word::Sign(Operator::Less),
        '>' => Word::Sign(Operator::More),
        '=' => Word::Sign(Operator::Equal),
        '(' => Word::Open,
        ')' => Word::Close,
        ',' => Word::Comma,
        other => {
            return Err(Fault {
                column,
                problem: format!("“{other}” means nothing in a formula"),
                repair: "use + - * / ^ ( ) , < <= > >= = and !=".to_owned(),
            });
        }
    };
    Ok((word, 1))
}
