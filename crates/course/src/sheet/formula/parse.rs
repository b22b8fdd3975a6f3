//! From words to a tree, with every name looked up.

use scenario::limits;
use scenario::wire::nearest;

use super::functions::{self, Function};
use super::lex::{Placed, Word, words};
use super::{Fault, Node, Operator};

/// The calls that are no functions: not all that stands between their parentheses is worked out.
const FORMS: [&str; 2] = ["if", "sum"];

pub(super) fn formula(text: &str, names: &[&str]) -> Result<Node, Fault> {
    if text.chars().count() > limits::FORMULA.max {
        return Err(Fault {
            column: limits::FORMULA.max + 1,
            problem: format!("the formula is too long; the bound is {}", limits::FORMULA),
            repair: "give a part of it a name of its own".to_owned(),
        });
    }
    let words = words(text)?;
    let mut parser = Parser { words: &words, at: 0, names, running: Vec::new(), depth: 0 };
    let node = parser.comparison()?;
    match parser.peek() {
        (_, Word::End) => Ok(node),
        (column, _) => Err(fault(column, "nothing may follow here", "write an operator between")),
    }
}

fn fault(column: usize, problem: impl Into<String>, repair: impl Into<String>) -> Fault {
    Fault { column, problem: problem.into(), repair: repair.into() }
}

struct Parser<'p, 't> {
    words: &'p [Placed<'t>],
    at: usize,
    names: &'p [&'p str],
    /// The names of running numbers, the outermost sum first.
    running: Vec<&'t str>,
    depth: usize,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> Placed<'t> {
        // The last word is the end, and nothing goes past it.
        self.words.get(self.at).copied().unwrap_or((1, Word::End))
    }

    fn next(&mut self) -> Placed<'t> {
        let word = self.peek();
        self.at += 1;
        word
    }

    /// The operator that is next, if it is one of these.
    fn operator(&mut self, of: &[Operator]) -> Option<Operator> {
        match self.peek() {
            (_, Word::Sign(operator)) if of.contains(&operator) => {
                self.at += 1;
                Some(operator)
            }
            _ => None,
        }
    }

    /// One level deeper, within the bound.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth >= limits::FORMULA_DEPTH.max {
            let problem =
                format!("this is nested too deep; the bound is {}", limits::FORMULA_DEPTH);
            return Err(fault(self.peek().0, problem, "give a part of it a name of its own"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn comparison(&mut self) -> Result<Node, Fault> {
        use Operator::{AtLeast, AtMost, Equal, Less, More, NotEqual};
        let signs = [Less, AtMost, More, AtLeast, Equal, NotEqual];
        let left = self.sum()?;
        let Some(operator) = self.operator(&signs) else { return Ok(left) };
        let node = Node::Two(operator, Box::new([left, self.sum()?]));
        match self.operator(&signs) {
            None => Ok(node),
            Some(_) => {
                let column = self.words[self.at - 1].0;
                let problem = "two comparisons in a row";
                Err(fault(column, problem, "compare two by two: if(a < b, b < c, 0)"))
            }
        }
    }

    fn sum(&mut self) -> Result<Node, Fault> {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&[Operator::Plus, Operator::Minus]) {
            left = Node::Two(operator, Box::new([left, self.product()?]));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, Fault> {
        let mut left = self.sign()?;
        while let Some(operator) = self.operator(&[Operator::Times, Operator::Over]) {
            left = Node::Two(operator, Box::new([left, self.sign()?]));
        }
        Ok(left)
    }

    fn sign(&mut self) -> Result<Node, Fault> {
        if self.operator(&[Operator::Minus]).is_some() {
            return self.deeper(|parser| Ok(Node::Minus(Box::new(parser.sign()?))));
        }
        let base = self.atom()?;
        if self.operator(&[Operator::Power]).is_none() {
            return Ok(base);
        }
        let power = self.deeper(Self::sign)?;
        Ok(Node::Two(Operator::Power, Box::new([base, power])))
    }

    fn atom(&mut self) -> Result<Node, Fault> {
        let (column, word) = self.next();
        match word {
            Word::Number(number) => Ok(Node::Number(number)),
            Word::Name(name) if matches!(self.peek(), (_, Word::Open)) => {
                self.at += 1;
                self.deeper(|parser| parser.call(column, name))
            }
            Word::Name(name) => self.name(column, name),
            Word::Open => self.deeper(|parser| {
                let node = parser.comparison()?;
                parser.close(column)?;
                Ok(node)
            }),
            Word::End => {
                Err(fault(column, "the formula ends too early", "write a number or a name"))
            }
            Word::Close | Word::Comma | Word::Sign(_) => {
                Err(fault(column, "a number or a name is missing before this", "write one here"))
            }
        }
    }

    /// The parenthesis that closes the one at `opened`.
    fn close(&mut self, opened: usize) -> Result<(), Fault> {
        match self.next() {
            (_, Word::Close) => Ok(()),
            (column, _) => {
                let problem = format!("the parenthesis of column {opened} is not closed");
                Err(fault(column, problem, "write ) here"))
            }
        }
    }

    fn comma(&mut self, form: &str) -> Result<(), Fault> {
        match self.next() {
            (_, Word::Comma) => Ok(()),
            (column, _) => Err(fault(column, "a comma is missing here", wanted(form))),
        }
    }

    fn name(&self, column: usize, name: &'t str) -> Result<Node, Fault> {
        if let Some(at) = self.running.iter().rposition(|other| *other == name) {
            return Ok(Node::Running(at));
        }
        if let Some(at) = self.names.iter().rposition(|other| *other == name) {
            return Ok(Node::Value(at));
        }
        let problem = format!("nothing before this is called “{name}”");
        let repair = match nearest(name, self.names) {
            Some(meant) => format!("did you mean “{meant}”?"),
            None => "name an input, or a value that stands before this one".to_owned(),
        };
        Err(fault(column, problem, repair))
    }

    fn call(&mut self, column: usize, name: &'t str) -> Result<Node, Fault> {
        match name {
            "if" => {
                let condition = self.comparison()?;
                self.comma(name)?;
                let then = self.comparison()?;
                self.comma(name)?;
                let parts = [condition, then, self.comparison()?];
                self.close(column)?;
                Ok(Node::If(Box::new(parts)))
            }
            "sum" => self.running_sum(column),
            _ => self.function(column, name),
        }
    }

    fn running_sum(&mut self, column: usize) -> Result<Node, Fault> {
        let (at, word) = self.next();
        let Word::Name(running) = word else {
            return Err(fault(at, "a sum begins with the name of its number", wanted("sum")));
        };
        self.comma("sum")?;
        let from = self.comparison()?;
        self.comma("sum")?;
        let to = self.comparison()?;
        self.comma("sum")?;
        self.running.push(running);
        let term = self.comparison();
        self.running.pop();
        let parts = [from, to, term?];
        self.close(column)?;
        Ok(Node::Sum(Box::new(parts)))
    }

    fn function(&mut self, column: usize, name: &str) -> Result<Node, Fault> {
        let Some(function) = Function::named(name) else {
            let known: Vec<&str> = functions::names().chain(FORMS).collect();
            let repair = match nearest(name, &known) {
                Some(meant) => format!("did you mean “{meant}”?"),
                None => format!("use {}", known.join(", ")),
            };
            return Err(fault(column, format!("there is no function “{name}”"), repair));
        };
        let mut given = vec![self.comparison()?];
        while matches!(self.peek(), (_, Word::Comma)) {
            self.at += 1;
            given.push(self.comparison()?);
        }
        self.close(column)?;
        if function.takes(given.len()) {
            return Ok(Node::Call(function, given));
        }
        let problem = format!("“{name}” does not take {} numbers", given.len());
        Err(fault(column, problem, format!("write {}", function.usage())))
    }
}

fn wanted(form: &str) -> &'static str {
    match form {
        "if" => "write if(condition, then, else)",
        _ => "write sum(n, from, to, term)",
    }
}
