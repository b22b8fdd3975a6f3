//! Working a formula out.

use scenario::limits;

use super::{Node, Operator};

/// Why there is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// It would divide by zero.
    DividesByZero,
    /// It is too large to be a number here.
    TooLarge,
    /// A power of a negative number that is no real number.
    NotReal,
    /// A sum of more terms than [`limits::TERMS`], or of all formulas more than [`limits::WORK`].
    TooMuch,
    /// A function does not have a value there; which.
    Outside(&'static str),
    /// What the sheet says about it.
    Said(String),
}

/// What working out has cost so far, and the running numbers of the sums that it is in.
#[derive(Clone, Debug)]
pub struct Ledger {
    left: usize,
    running: Vec<f64>,
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger { left: limits::WORK.max, running: Vec::new() }
    }
}

type Worked = Result<f64, Undefined>;

impl Ledger {
    pub(super) fn work(&mut self, node: &Node, values: &[Worked]) -> Worked {
        self.spend(1)?;
        let number = match node {
            Node::Number(number) => *number,
            Node::Value(at) => values.get(*at).cloned().unwrap_or(Err(Undefined::TooMuch))?,
            Node::Running(at) => self.running.get(*at).copied().unwrap_or_default(),
            Node::Minus(of) => -self.work(of, values)?,
            Node::Two(operator, both) => {
                let (left, right) = (self.work(&both[0], values)?, self.work(&both[1], values)?);
                two(*operator, left, right)?
            }
            Node::Call(function, given) => {
                let given: Result<Vec<f64>, Undefined> =
                    given.iter().map(|node| self.work(node, values)).collect();
                let given = given?;
                self.spend(function.cost(&given))?;
                function.call(&given)?
            }
            Node::If(parts) => {
                let so = self.work(&parts[0], values)? != 0.0;
                self.work(&parts[if so { 1 } else { 2 }], values)?
            }
            Node::Sum(parts) => self.sum(parts, values)?,
        };
        if number.is_finite() { Ok(number) } else { Err(Undefined::TooLarge) }
    }

    fn spend(&mut self, steps: usize) -> Result<(), Undefined> {
        self.left = self.left.checked_sub(steps).ok_or(Undefined::TooMuch)?;
        Ok(())
    }

    fn sum(&mut self, parts: &[Node; 3], values: &[Worked]) -> Worked {
        let (from, to) = (self.work(&parts[0], values)?, self.work(&parts[1], values)?);
        let terms = (to - from).floor() + 1.0;
        #[allow(clippy::cast_precision_loss, reason = "a small bound")]
        if terms > limits::TERMS.max as f64 {
            return Err(Undefined::TooMuch);
        }
        let mut total = 0.0;
        let mut term = from;
        while term <= to {
            self.running.push(term);
            let worked = self.work(&parts[2], values);
            self.running.pop();
            total += worked?;
            term += 1.0;
        }
        Ok(total)
    }
}

fn two(operator: Operator, left: f64, right: f64) -> Worked {
    let so = |so: bool| if so { 1.0 } else { 0.0 };
    Ok(match operator {
        Operator::Plus => left + right,
        Operator::Minus => left - right,
        Operator::Times => left * right,
        Operator::Over if right == 0.0 => return Err(Undefined::DividesByZero),
        Operator::Over => left / right,
        Operator::Power if left == 0.0 && right < 0.0 => return Err(Undefined::DividesByZero),
        Operator::Power if left < 0.0 && right.fract() != 0.0 => return Err(Undefined::NotReal),
        // The platform's own differs from machine to machine.
        Operator::Power => libm::pow(left, right),
        Operator::Less => so(left < right),
        Operator::AtMost => so(left <= right),
        Operator::More => so(left > right),
        Operator::AtLeast => so(left >= right),
        Operator::Equal => so(left == right),
        Operator::NotEqual => so(left != right),
    })
}
