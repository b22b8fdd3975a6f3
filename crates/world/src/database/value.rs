//! From what a scenario says to what is in a row, and back.

use broker::MessageId;
use patterns::database::Value;
use scenario::{ComponentId, Field, Kind, Operand, Scenario};

use crate::World;
use crate::parts::Caller;
use crate::world::Context;

impl World {
    /// The value of a field, as a row holds it.
    pub(crate) fn value_of(&mut self, field: &Field) -> Value {
        match field {
            Field::Number(number) => match whole(*number) {
                Some(whole) => Value::Number(whole),
                None => Value::Word(self.number_of(&scenario::wire::number_text(*number))),
            },
            Field::Text(text) => Value::Word(self.number_of(text)),
        }
    }

    /// What an operand stands for, for a handler on its way through a message.
    pub(crate) fn operand(
        &mut self,
        cx: &Context,
        runner: Caller,
        message: MessageId,
        operand: &Operand,
    ) -> Value {
        let number = |message: MessageId| Value::Number(i64::from(message.number()));
        match operand {
            Operand::Constant(field) => self.value_of(field),
            Operand::Null => Value::Null,
            Operand::Field(name) => match self.body_field(cx.scenario, message, name) {
                Some(field) => self.value_of(field),
                None => Value::Null,
            },
            Operand::Event => number(self.messages.event(message)),
            Operand::Number => number(message),
            Operand::Key => Value::Word(u32::from(self.messages[message].key)),
            Operand::Consumer => match self.process_of(runner) {
                Some(process) => {
                    Value::Word(self.number_of(&cx.scenario.component(process.component).name))
                }
                None => Value::Null,
            },
            Operand::Due => {
                let of = match runner {
                    Caller::Worker(id) => Some(self.hands_mut(id).delivery.queue),
                    Caller::Request(_) => None,
                };
                let due = of.and_then(|of| self.due_of(of, message));
                due.map_or(Value::Null, Value::Number)
            }
            Operand::Token => match runner {
                Caller::Worker(id) => Value::Number(i64::from(self.hands_mut(id).delivery.count)),
                Caller::Request(_) => Value::Number(0),
            },
            Operand::Now => self.clock_shows(runner),
            Operand::Row(name) => self.row_value(cx.scenario, runner, name),
        }
    }

    /// A column of the row that a handler has last read.
    fn row_value(&mut self, scenario: &Scenario, runner: Caller, name: &str) -> Value {
        let activity = self.activity_mut(runner);
        let session = activity.and_then(|activity| activity.session.as_deref());
        let Some((of, row)) = session.and_then(|session| session.row.as_ref()) else {
            return Value::Null;
        };
        let Kind::Database(spec) = &scenario.component(of.database).kind else {
            return Value::Null;
        };
        match spec.tables[usize::from(of.table)].place(name) {
            Some(scenario::Place::Key) => row.key.first,
            Some(scenario::Place::SecondKey) => row.key.second,
            Some(scenario::Place::Column(at)) => row.columns[usize::from(at)],
            None => Value::Null,
        }
    }

    /// A value as text: a word, a number, or nothing.
    #[must_use]
    pub fn text_of_value(&self, value: Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::Number(number) => number.to_string(),
            Value::Word(word) => self.keys.get(word as usize).cloned().unwrap_or_default(),
        }
    }

    /// Bytes of a database's write-ahead log that slots hold back.
    #[must_use]
    pub fn wal_retained(&self, state: &super::DatabaseState, spec: &scenario::Database) -> u64 {
        state.retained(self.now, spec)
    }

    /// The state of a database, if a component is one.
    #[must_use]
    pub fn database(&self, id: ComponentId) -> Option<&super::DatabaseState> {
        match &self.parts[id.index()] {
            crate::Part::Database(state) => Some(state),
            _ => None,
        }
    }
}

/// A number that is whole, as JavaScript's can be below 2^53.
fn whole(number: f64) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation, reason = "what is cut off is noticed")]
    let whole = number as i64;
    #[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "it is meant to be the same")]
    let same = whole as f64 == number && whole.abs() < 1 << 53;
    same.then_some(whole)
}
