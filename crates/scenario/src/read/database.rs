//! Databases and statements.

use sim::{SimDuration, Times};

use super::time::{optional, positive, times};
use super::{Names, each_field};
use crate::wire::{Reader, RecordReader, Value};
use crate::{
    Act, Change, Comparison, Condition, Database, Does, Field, Keeps, Layout, NewRow, Operand,
    Place, RowLock, Statement, Table, TableRef, limits,
};

#[inline(never)]
pub(super) fn database(record: &mut RecordReader<'_>) -> Option<Database> {
    let tables = record.required("tables").and_then(|r| {
        let mut tables = r.record()?;
        let entries = tables.entries(limits::TABLES);
        tables.finish();
        if entries.is_empty() {
            r.error(
                "this database has no table",
                "name one, like { \"orders\": { \"key\": \"id\" } }",
            );
            return None;
        }
        each_field(&entries, table)
    });
    let latency = optional(record, "latency", times);
    let lock_timeout = optional(record, "lock_timeout", positive);
    let change_bytes = optional(record, "change_bytes", |r| r.integer(1..=MOST_BYTES));
    let other = optional(record, "other_bytes_per_second", |r| r.integer(0..=MOST_BYTES));
    let disk = optional(record, "disk_bytes", |r| r.number(1.0..=1e15));
    Some(Database {
        tables: tables?,
        latency: latency?.unwrap_or(Times::constant(SimDuration::ZERO)),
        lock_timeout: lock_timeout?,
        change_bytes: change_bytes?.unwrap_or(128),
        other_bytes_per_second: u64::from(other?.unwrap_or(0)),
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        disk_bytes: disk?.map(|bytes| bytes as u64),
    })
}

/// The most bytes of one change, and of others' writes in a second.
const MOST_BYTES: u32 = 1_000_000_000;

fn table(name: &str, reader: &Reader<'_>) -> Option<Table> {
    let mut record = reader.record()?;
    let outbox = optional(&mut record, "outbox", Reader::flag);
    let key = optional(&mut record, "key", names);
    let columns = optional(&mut record, "columns", names);
    let rows = record.optional("rows");
    let rows_last = optional(&mut record, "rows_last", positive);
    record.finish();
    if outbox? == Some(true) {
        if !matches!(rows_last, Some(None)) {
            reader.error(
                "the rows of an outbox stay until they are published",
                "take “rows_last” out, or make it a table of its own",
            );
        }
        return Some(Table { rows_last: None, layout: Layout::Outbox, ..named(name) });
    }
    let (key, columns) = (key?.unwrap_or_default(), columns?.unwrap_or_default());
    if key.len() > 2 {
        reader.error("a key has one column or two", "leave the others among the columns");
        return None;
    }
    let mut all: Vec<&String> = key.iter().chain(&columns).collect();
    sim::short::sort_by_key(&mut all, |name| (*name).clone());
    if all.windows(2).any(|pair| pair[0] == pair[1]) {
        reader.error("two columns of this table have the same name", "rename one of them");
        return None;
    }
    let rows_last = rows_last?;
    let mut table = Table { rows_last, layout: Layout::Rows { key, columns }, ..named(name) };
    if let Some(rows) = rows {
        table.rows = rows.each(limits::SAMPLES, |row| first_row(row, &table))?;
    }
    Some(table)
}

/// A table without rows.
fn named(name: &str) -> Table {
    Table { name: name.to_owned(), layout: Layout::Outbox, rows_last: None, rows: Vec::new() }
}

/// One name, or a list of them.
fn names(reader: &Reader<'_>) -> Option<Vec<String>> {
    if matches!(reader.value(), Value::Text(_)) {
        return reader.name().map(|name| vec![name.to_owned()]);
    }
    reader.each(limits::COLUMNS, |r| r.name().map(str::to_owned))
}

/// A row that is there from the start: every column of it.
fn first_row(reader: &Reader<'_>, table: &Table) -> Option<Vec<Field>> {
    let mut record = reader.record()?;
    let names = table.names();
    let serial = matches!(&table.layout, Layout::Rows { key, .. } if key.is_empty());
    let own = &names[usize::from(serial)..];
    let read: Vec<_> =
        own.iter().map(|name| record.required(name).and_then(|r| field(&r))).collect();
    record.finish();
    read.into_iter().collect()
}

fn field(reader: &Reader<'_>) -> Option<Field> {
    match reader.value() {
        Value::Number(number) => Some(Field::Number(*number)),
        _ => reader.text(limits::TEXT).map(|text| Field::Text(text.to_owned())),
    }
}

/// A table as others see it before it is read: what it has, as far as that is right.
pub(super) fn glance(name: &str, value: &Value) -> Table {
    let texts = |field: &str| match value.get(field) {
        Some(Value::Text(text)) => vec![text.clone()],
        Some(Value::List(entries)) => {
            entries.iter().filter_map(|entry| entry.as_text().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    let layout = match value.get("outbox") {
        Some(Value::Bool(true)) => Layout::Outbox,
        _ => Layout::Rows { key: texts("key"), columns: texts("columns") },
    };
    // How long it is does not matter here: whether it is written is enough.
    let rows_last = value.get("rows_last").map(|_| SimDuration::ZERO);
    Table { layout, rows_last, ..named(name) }
}

/// Reads a statement, whose kind is the word of its line.
#[inline(never)]
pub(super) fn statement(
    word: &str,
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
) -> Option<Act> {
    let place = match word {
        "insert" | "insert-or-skip" => "into",
        "update-where" => "table",
        _ => "from",
    };
    let table = record.required(place).and_then(|r| names.table(&r));
    let takes = optional(record, "takes", times);
    // What cannot be read for want of its table is asked for all the same, so as not to be unknown.
    let Some((of, table)) = table else {
        for name in ["row", "where", "set", "add", "lock"] {
            record.optional(name);
        }
        return None;
    };
    let does = match word {
        "insert" => new_row(record, &table).map(Does::Insert),
        "insert-or-skip" => new_row(record, &table).map(Does::InsertOrSkip),
        "update-where" => {
            let rows = conditions(record, &table);
            changes(record, &table).zip(rows).map(|(set, rows)| Does::UpdateWhere { rows, set })
        }
        "delete" => conditions(record, &table).map(|rows| Does::Delete { rows }),
        _ => {
            let rows = conditions(record, &table);
            let lock = optional(record, "lock", |r| r.choice(&LOCKS));
            rows.zip(lock)
                .map(|(rows, lock)| Does::Read { rows, lock: lock.unwrap_or(RowLock::None) })
        }
    };
    let keeps = if table.rows_last.is_some() { Keeps::ForATime } else { Keeps::ForGood };
    Some(Act::Statement(Box::new(Statement { table: of, takes: takes?, does: does?, keeps })))
}

const LOCKS: [(&str, RowLock); 2] =
    [("for-update", RowLock::ForUpdate), ("skip-locked", RowLock::SkipLocked)];

fn new_row(record: &mut RecordReader<'_>, table: &Table) -> Option<NewRow> {
    let mut row = NewRow { key: default_key(&table.layout), columns: Vec::new() };
    let Some(reader) = record.optional("row") else { return Some(row) };
    let mut fields = reader.record()?;
    let entries = fields.entries(limits::COLUMNS);
    fields.finish();
    let mut good = true;
    for (name, reader) in &entries {
        match (column(name, reader, table), operand(reader)) {
            (Some(Place::Column(at)), Some(value)) => row.columns.push((at, value)),
            (Some(Place::Key), Some(value)) if row.key.is_empty() => row.key.push(value),
            (Some(Place::Key), Some(value)) => row.key[0] = value,
            (Some(Place::SecondKey), Some(value)) => row.key[1] = value,
            _ => good = false,
        }
    }
    good.then_some(row)
}

/// The key of a row that does not give one: the event, or the consumer and the event.
fn default_key(layout: &Layout) -> Vec<Operand> {
    match layout {
        Layout::Rows { key, .. } => match key.len() {
            0 => Vec::new(),
            1 => vec![Operand::Event],
            _ => vec![Operand::Consumer, Operand::Event],
        },
        Layout::Outbox => Vec::new(),
    }
}

fn conditions(record: &mut RecordReader<'_>, table: &Table) -> Option<Vec<Condition>> {
    let reader = record.required("where")?;
    let mut fields = reader.record()?;
    let entries = fields.entries(limits::COLUMNS);
    fields.finish();
    each_field(&entries, |name, reader| {
        let place = column(name, reader, table);
        let (is, with) = comparison(reader)?;
        Some(Condition { place: place?, is, with })
    })
}

const COMPARISONS: [(&str, Comparison); 5] = [
    ("not", Comparison::IsNot),
    ("below", Comparison::Below),
    ("at_most", Comparison::AtMost),
    ("above", Comparison::Above),
    ("at_least", Comparison::AtLeast),
];

/// A value for equality, or `{ "below": … }` and the like.
fn comparison(reader: &Reader<'_>) -> Option<(Comparison, Operand)> {
    let compares = |word: &&(&str, Comparison)| reader.value().get(word.0).is_some();
    let Some((word, is)) = COMPARISONS.iter().find(compares) else {
        return operand(reader).map(|with| (Comparison::Is, with));
    };
    let mut record = reader.record()?;
    let with = record.required(word).and_then(|r| operand(&r));
    record.finish();
    with.map(|with| (*is, with))
}

fn changes(record: &mut RecordReader<'_>, table: &Table) -> Option<Vec<(u8, Change)>> {
    let mut set = Vec::new();
    let mut good = true;
    for (field, form) in [("set", Form::Set), ("add", Form::Add)] {
        let Some(reader) = record.optional(field) else { continue };
        let mut fields = reader.record()?;
        for (name, reader) in fields.entries(limits::COLUMNS) {
            let change = match form {
                Form::Set => operand(&reader).map(Change::To),
                Form::Add => reader.integer(-MOST_ADDED..=MOST_ADDED).map(Change::Add),
            };
            match (column(name, &reader, table), change) {
                (Some(Place::Column(at)), Some(change)) => set.push((at, change)),
                (Some(_), Some(_)) => {
                    reader.error(
                        "the key of a row stays as it is",
                        "set a column that is not its key",
                    );
                    good = false;
                }
                _ => good = false,
            }
        }
        fields.finish();
    }
    if set.is_empty() && good {
        record.whole().error("this update changes nothing", "add “set” or “add” with a column");
        return None;
    }
    good.then_some(set)
}

enum Form {
    Set,
    Add,
}

/// The most that one update adds.
const MOST_ADDED: i64 = 1_000_000_000;

fn column(name: &str, reader: &Reader<'_>, table: &Table) -> Option<Place> {
    let place = table.place(name);
    if place.is_none() {
        reader.unknown("a column of this table", name, &table.names());
    }
    place
}

/// Reads where a value comes from: a text or number as it stands, or one of the named forms.
pub(super) fn operand(reader: &Reader<'_>) -> Option<Operand> {
    match reader.value() {
        Value::Null => return Some(Operand::Null),
        Value::Record(_) => {}
        _ => return field(reader).map(Operand::Constant),
    }
    let (form, inner) = reader.variant(&["field", "message", "row"])?;
    match form {
        "field" => inner.text(limits::LABEL).map(|name| Operand::Field(name.to_owned())),
        "row" => inner.name().map(|name| Operand::Row(name.to_owned())),
        _ => inner.choice(&[
            ("event", Operand::Event),
            ("number", Operand::Number),
            ("key", Operand::Key),
            ("consumer", Operand::Consumer),
            ("token", Operand::Token),
            ("now", Operand::Now),
            ("due", Operand::Due),
        ]),
    }
}

/// Reads which table a statement is about, and what that one looks like: `"db.orders"`.
impl Names<'_> {
    pub(super) fn table(&self, reader: &Reader<'_>) -> Option<(TableRef, Table)> {
        let text = reader.text(limits::LABEL)?;
        let Some((database, table)) = text.split_once('.') else {
            reader.error(
                format!("“{text}” does not name a table"),
                "write the database, a dot and the table, like \"db.orders\"",
            );
            return None;
        };
        let found = self.parts.iter().position(|known| known.name == database);
        let Some((id, tables)) = found.and_then(|at| Some((at, self.parts[at].tables?))) else {
            let known: Vec<&str> =
                self.parts.iter().filter(|one| one.tables.is_some()).map(|one| one.name).collect();
            reader.unknown("a database", database, &known);
            return None;
        };
        let Some(at) = tables.iter().position(|(name, _)| name == table) else {
            let known: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
            reader.unknown("a table of this database", table, &known);
            return None;
        };
        #[allow(clippy::cast_possible_truncation, reason = "limits::TABLES is far below")]
        let of = TableRef { database: crate::ComponentId::new(id), table: at as u16 };
        Some((of, glance(&tables[at].0, &tables[at].1)))
    }
}
