//! A diary of a database with one table of one column: a line a statement, with its time, its
//! transaction, and the answer.
//!
//! ```text
//! 0 T1 insert 5 7        = inserted 5          key 5, column 7
//! 0 T2 skip 5            = waits for T1        insert … on conflict do nothing
//! 0 T1 commit            = committed; T2 0 rows
//! ```

use std::collections::BTreeMap;

use patterns::database::{
    Answer, Assignment, Database, DatabaseError, Field, Filter, Insert, Is, Key, Lock, OnConflict,
    Order, Outcome, Resumed, Select, Settings, Statement, TableId, TransactionId, Update, Value,
};
use sim::SimTime;

/// Plays a diary and compares it with what happened.
#[track_caller]
pub fn check(diary: &str) {
    check_with(Settings::default(), diary);
}

/// The same with other settings.
#[track_caller]
pub fn check_with(settings: Settings, diary: &str) {
    let mut database = Database::new(settings);
    let table = database.create_table(1);
    let slot = database.wal_mut().create_slot();
    let mut keeper = Keeper { database, table, open: BTreeMap::new() };
    for line in diary.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (request, written) = line.split_once('=').expect("a line has an answer");
        let words: Vec<&str> = request.split_whitespace().collect();
        let answer = keeper.answer(&words);
        assert_eq!(written.trim(), answer, "left: the diary; right: the answer to {request}");
    }
    assert!(keeper.database.wal().slot(slot).is_some());
}

struct Keeper {
    database: Database,
    table: TableId,
    open: BTreeMap<String, TransactionId>,
}

impl Keeper {
    fn answer(&mut self, words: &[&str]) -> String {
        let [at, name, verb, rest @ ..] = words else { panic!("time, transaction, statement") };
        let now = SimTime::from_secs(at.parse().expect("whole seconds"));
        let mut resumed = Vec::new();
        match *verb {
            "log" => return self.log(),
            "advance" => {
                self.database.advance(now, &mut resumed);
                let told: Vec<_> = resumed.iter().map(|resumed| self.resumed(resumed)).collect();
                let told = if told.is_empty() { "nothing".to_owned() } else { told.join(", ") };
                let next = self.database.next_deadline();
                let next = next.map_or("never".to_owned(), |at| bare(&at.to_string()));
                return format!("{told}; next at {next}");
            }
            "crash" => {
                self.database.crash(now);
                return "crashed".to_owned();
            }
            _ => {}
        }
        let database = &mut self.database;
        let id = *self.open.entry((*name).to_owned()).or_insert_with(|| database.begin());
        let ended = match *verb {
            "commit" => database.commit(now, id, &mut resumed).map(|()| "committed"),
            "rollback" => database.rollback(now, id, &mut resumed).map(|()| "rolled back"),
            "prepare" => database.prepare(id).map(|()| "prepared"),
            "commit-prepared" => {
                database.commit_prepared(now, id, &mut resumed).map(|()| "committed")
            }
            _ => {
                let statement = statement(self.table, verb, rest);
                let answer = database.execute(now, id, statement);
                return self.told(&answer);
            }
        };
        let mut told = ended.map_or_else(|error| error.to_string(), str::to_owned);
        for resumed in &resumed {
            told += &format!("; {}", self.resumed(resumed));
        }
        told
    }

    fn resumed(&self, resumed: &Resumed) -> String {
        format!("{} {}", self.name(resumed.transaction), self.told(&resumed.answer))
    }

    fn name(&self, id: TransactionId) -> &str {
        let found = self.open.iter().find(|(_, other)| **other == id);
        found.map_or("?", |(name, _)| name)
    }

    fn told(&self, answer: &Answer) -> String {
        match answer {
            Answer::Waits { on } => format!("waits for {}", self.name(*on)),
            Answer::Refused(DatabaseError::Deadlock { with }) => {
                format!("refused: a deadlock with transaction {}", self.name(*with))
            }
            Answer::Refused(error) => format!("refused: {error}"),
            Answer::Done(Outcome::Inserted(key)) => format!("inserted {key}"),
            Answer::Done(Outcome::Rows(count)) => format!("{count} rows"),
            Answer::Done(Outcome::Read(rows)) => {
                let rows: Vec<_> =
                    rows.iter().map(|row| format!("{}:{}", row.key, row.columns[0])).collect();
                if rows.is_empty() { "nothing".to_owned() } else { rows.join(", ") }
            }
        }
    }

    fn log(&self) -> String {
        let all = self.database.wal().after(patterns::database::Lsn::default());
        let told: Vec<_> = all
            .map(|committed| {
                let keys: Vec<_> =
                    committed.changes.iter().map(|change| change.key.to_string()).collect();
                format!("[{}]", keys.join(", "))
            })
            .collect();
        told.join(", ")
    }
}

fn statement(table: TableId, verb: &str, rest: &[&str]) -> Statement {
    let key = |word: &str| Value::Number(number(word));
    let select = |filter, limit: Option<u32>, lock| {
        Statement::Select(Select { table, filter, order: Order::Key, limit, lock })
    };
    let update = |filter, assignment| {
        Statement::Update(Update { table, filter, set: vec![(0, assignment)] })
    };
    match (verb, rest) {
        ("insert" | "skip", [word, columns @ ..]) => Statement::Insert(Insert {
            table,
            key: (*word != "next").then(|| Key::number(number(word))),
            columns: columns.iter().map(|word| Value::Number(number(word))).collect(),
            on_conflict: if verb == "skip" { OnConflict::DoNothing } else { OnConflict::Error },
        }),
        ("update", [word, "to", to]) => update(Filter::key(key(word)), Assignment::To(key(to))),
        ("update", [word, "from", from, "to", to]) => {
            let filter = Filter::key(key(word)).and(Field::Column(0), Is::Equal(key(from)));
            update(filter, Assignment::To(key(to)))
        }
        ("add", [word, more]) => update(Filter::key(key(word)), Assignment::Add(number(more))),
        ("delete", [word]) => Statement::Delete { table, filter: Filter::key(key(word)) },
        ("read", []) => select(Filter::all(), None, Lock::None),
        ("lock", [word]) => select(Filter::key(key(word)), None, Lock::ForUpdate),
        ("lock-nowait", [word]) => select(Filter::key(key(word)), None, Lock::ForUpdateNoWait),
        ("lock-skip", ["limit", limit]) => {
            select(Filter::all(), Some(number(limit) as u32), Lock::ForUpdateSkipLocked)
        }
        ("lock-null", ["limit", limit]) => {
            let filter = Filter::all().and(Field::Column(0), Is::Null);
            select(filter, Some(number(limit) as u32), Lock::ForUpdate)
        }
        other => panic!("no such statement: {other:?}"),
    }
}

fn number(word: &str) -> i64 {
    word.parse().unwrap_or_else(|_| panic!("{word} is no number"))
}

fn bare(time: &str) -> String {
    time.trim_end_matches(" s").to_owned()
}
