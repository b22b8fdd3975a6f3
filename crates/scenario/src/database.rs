//! Databases, and the statements that handlers make in them.

use sim::{SimDuration, Times};

use crate::{ComponentId, Field};

/// A relational database.
#[derive(Clone, Debug, PartialEq)]
pub struct Database {
    /// Its tables, in document order.
    pub tables: Vec<Table>,
    /// How long a statement or a commit takes, waiting for others not counted.
    pub latency: Times,
    /// How long a statement waits for a row that another transaction holds. `None`: for ever.
    pub lock_timeout: Option<SimDuration>,
    /// What one row change weighs in the write-ahead log, in bytes.
    pub change_bytes: u32,
    /// What others write into the same log, in bytes a second.
    pub other_bytes_per_second: u64,
    /// The room for the write-ahead log, in bytes. `None`: enough.
    pub disk_bytes: Option<u64>,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it is called.
    pub name: String,
    /// What its rows look like.
    pub layout: Layout,
    /// How long a row lasts after it was last written, as in a key-value store. `None`: until it is
    /// deleted.
    pub rows_last: Option<SimDuration>,
    /// The rows that are there from the start: keys, then columns.
    pub rows: Vec<Vec<Field>>,
}

/// What the rows of a table look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Those of an outbox: a serial id, the aggregate, the event, when it was written, when it was
    /// published ([`patterns::outbox::Outbox`]).
    Outbox,
    /// The author's own.
    Rows {
        /// One or two columns that make the key. None: a serial number.
        key: Vec<String>,
        /// The other columns.
        columns: Vec<String>,
    },
}

/// A table of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableRef {
    /// The database.
    pub database: ComponentId,
    /// Which of its tables, from 0.
    pub table: u16,
}

/// Where a value of a statement comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// It stands in the scenario.
    Constant(Field),
    /// No value.
    Null,
    /// A field of the message's body.
    Field(String),
    /// The id that the event was given when it came into being. It stays the same through every
    /// redelivery, republishing and copy.
    Event,
    /// The number of the message. It is another one each time that the event is published.
    Number,
    /// The ordering key of the message.
    Key,
    /// The name of the component that runs the handler.
    Consumer,
    /// How often the delivery has been handed out: a fencing token, where a scheduler hands out.
    Token,
    /// For which hour a run is that a scheduler has handed out, in seconds of Unix time: the key
    /// that makes a second run for it harmless.
    Due,
    /// The present time by the clock of the process, in microseconds since the start of the run.
    Now,
    /// A column, by name, of the row that the handler last read.
    Row(String),
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Of which table.
    pub table: TableRef,
    /// How long it takes; what the database says if `None`.
    pub takes: Option<Times>,
    /// What it does.
    pub does: Does,
    /// Whether its table keeps rows for good. What is written into one that does not is a note for
    /// the time being, such as a lock, and no work done.
    pub keeps: Keeps,
}

/// For how long a table keeps a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keeps {
    /// Until it is deleted.
    ForGood,
    /// For a time after its last write.
    ForATime,
}

impl Statement {
    /// Whether it changes anything that is to last.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.does.writes() && self.keeps == Keeps::ForGood
    }
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// INSERT. A key that is taken is a conflict, and the transaction fails with it.
    Insert(NewRow),
    /// INSERT … ON CONFLICT DO NOTHING. A key that is taken is a conflict, and nothing is the worse.
    InsertOrSkip(NewRow),
    /// UPDATE … WHERE.
    UpdateWhere {
        /// Which rows.
        rows: Vec<Condition>,
        /// What becomes of columns, from 0.
        set: Vec<(u8, Change)>,
    },
    /// DELETE … WHERE.
    Delete {
        /// Which rows.
        rows: Vec<Condition>,
    },
    /// SELECT … WHERE. The first row is kept for what follows.
    Read {
        /// Which rows.
        rows: Vec<Condition>,
        /// Whether they are locked.
        lock: RowLock,
    },
}

/// A row to be inserted.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRow {
    /// Its key; empty: the next number of the table.
    pub key: Vec<Operand>,
    /// Its columns by position, from 0. Those that are missing are null.
    pub columns: Vec<(u8, Operand)>,
}

/// A condition on a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What it looks at.
    pub place: Place,
    /// What it asks.
    pub is: Comparison,
    /// What it compares with.
    pub with: Operand,
}

/// A part of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The key, or the first part of it.
    Key,
    /// The second part of the key.
    SecondKey,
    /// A column, from 0.
    Column(u8),
}

/// What a condition asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The same; with nothing, that there is no value.
    Is,
    /// Another value; with nothing, that there is one.
    IsNot,
    /// Less.
    Below,
    /// Less or the same.
    AtMost,
    /// More.
    Above,
    /// More or the same.
    AtLeast,
}

/// What becomes of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// This value. Doing it twice is doing it once.
    To(Operand),
    /// So much more than it was. Doing it twice is not.
    Add(i64),
}

/// Whether a read locks its rows until the end of the transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowLock {
    /// No: it waits for nobody.
    None,
    /// FOR UPDATE: it waits for rows that others hold.
    ForUpdate,
    /// FOR UPDATE SKIP LOCKED: it passes over rows that others hold.
    SkipLocked,
}

/// What a commit asks of several databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Commit {
    /// Each commits for itself, in the order in which their transactions began.
    Each,
    /// All prepare, then all commit: two-phase commit.
    TwoPhase,
}

impl Table {
    /// The position of a column by its name.
    #[must_use]
    pub fn place(&self, name: &str) -> Option<Place> {
        match &self.layout {
            Layout::Outbox => {
                let at = OUTBOX_COLUMNS.iter().position(|column| *column == name);
                if name == "id" { Some(Place::Key) } else { at.map(column) }
            }
            Layout::Rows { key, columns } => {
                if key.is_empty() && name == "id" || key.first().is_some_and(|own| own == name) {
                    return Some(Place::Key);
                }
                if key.get(1).is_some_and(|own| own == name) {
                    return Some(Place::SecondKey);
                }
                columns.iter().position(|own| own == name).map(column)
            }
        }
    }

    /// The names of its columns, the key's first.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        match &self.layout {
            Layout::Outbox => std::iter::once("id").chain(OUTBOX_COLUMNS).collect(),
            Layout::Rows { key, columns } => {
                let serial = key.is_empty().then_some("id");
                serial.into_iter().chain(key.iter().chain(columns).map(String::as_str)).collect()
            }
        }
    }
}

/// The columns of an outbox beside its id.
const OUTBOX_COLUMNS: [&str; 4] = ["aggregate", "event", "written_at", "published_at"];

#[allow(clippy::cast_possible_truncation, reason = "limits::COLUMNS is far below")]
fn column(at: usize) -> Place {
    Place::Column(at as u8)
}

impl Does {
    /// The field's word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Insert(_) => "insert",
            Self::InsertOrSkip(_) => "insert-or-skip",
            Self::UpdateWhere { .. } => "update-where",
            Self::Delete { .. } => "delete",
            Self::Read { .. } => "read",
        }
    }

    /// Whether it changes anything.
    #[must_use]
    pub fn writes(&self) -> bool {
        !matches!(self, Self::Read { .. })
    }

    /// Whether doing it twice is more than doing it once.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        match self {
            Self::Insert(_) => true,
            Self::UpdateWhere { set, .. } => {
                set.iter().any(|(_, change)| matches!(change, Change::Add(_)))
            }
            Self::InsertOrSkip(_) | Self::Delete { .. } | Self::Read { .. } => false,
        }
    }
}
