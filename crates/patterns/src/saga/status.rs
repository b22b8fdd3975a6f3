//! A state machine on the entity: its status, moved by updates that name the status they expect.
//!
//! Such an update, with both the id and the expected status in its WHERE, changes one row or none.
//! None is not one thing: a *duplicate* has been here before and can be acked, an *early* event must
//! wait or it is lost, an *unfit* one will never fit.

use sim::short::OrderedSet;

use crate::database::{Assignment, Field, Filter, Is, Statement, TableId, Update, Value};

/// A status by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Status(pub u32);

/// The moves that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StateMachine {
    moves: OrderedSet<(Status, Status)>,
}

/// What an update of no row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoRow {
    /// The entity is there already, or has been: ack.
    Duplicate,
    /// The entity can still get to where the move begins: hand the message back, or park it.
    Early,
    /// The entity can get there no more: put the message aside.
    Unfit,
}

impl StateMachine {
    /// A machine with these moves.
    #[must_use]
    pub fn new(moves: &[(Status, Status)]) -> Self {
        Self { moves: moves.iter().copied().collect() }
    }

    /// Whether a move is allowed.
    #[must_use]
    pub fn allows(&self, from: Status, to: Status) -> bool {
        self.moves.contains(&(from, to))
    }

    /// Moves an entity if its status is the one expected: one row, or none.
    pub fn fire(&self, status: &mut Status, from: Status, to: Status) -> u32 {
        if *status == from && self.allows(from, to) {
            *status = to;
            return 1;
        }
        0
    }

    /// What it means that a move changed no row of an entity in this status.
    #[must_use]
    pub fn no_row(&self, status: Status, from: Status, to: Status) -> NoRow {
        if status == to || self.reaches(to, status) {
            NoRow::Duplicate
        } else if self.reaches(status, from) {
            NoRow::Early
        } else {
            NoRow::Unfit
        }
    }

    fn reaches(&self, from: Status, to: Status) -> bool {
        let mut seen = OrderedSet::new();
        seen.insert(from);
        let mut next = vec![from];
        while let Some(status) = next.pop() {
            for (_, after) in self.moves.range((status, Status(0))..=(status, Status(u32::MAX))) {
                if *after == to {
                    return true;
                }
                if seen.insert(*after) {
                    next.push(*after);
                }
            }
        }
        false
    }
}

/// The conditional update of an entity's status in a table.
#[must_use]
pub fn update(table: TableId, id: Value, column: u8, from: Status, to: Status) -> Statement {
    let filter = Filter::key(id).and(Field::Column(column), Is::Equal(Value::Word(from.0)));
    Statement::Update(Update {
        table,
        filter,
        set: vec![(column, Assignment::To(Value::Word(to.0)))],
    })
}
