//! Whatever the transactions do, and in whatever order: no row has two holders, nobody waits in a
//! circle, nothing that was committed is lost, and the log tells the tables.

use std::collections::BTreeMap;

use patterns::database::{
    Answer, Assignment, Database, Filter, Insert, Key, Lock, Lsn, OnConflict, Operation, Order,
    Outcome, Resumed, Select, Settings, State, Statement, TableId, TransactionId, Update, Value,
};
use proptest::prelude::*;
use sim::SimTime;

const NOW: SimTime = SimTime::ZERO;
const TRANSACTIONS: usize = 4;

#[derive(Clone, Copy, Debug)]
enum Act {
    Insert(i64),
    Skip(i64),
    Next,
    Add(i64),
    Delete(i64),
    Lock(i64),
    LockSkipping,
    Commit,
    Rollback,
}

fn act() -> impl Strategy<Value = (usize, Act)> {
    let key = 1_i64..4;
    let act = prop_oneof![
        key.clone().prop_map(Act::Insert),
        key.clone().prop_map(Act::Skip),
        Just(Act::Next),
        key.clone().prop_map(Act::Add),
        key.clone().prop_map(Act::Add),
        key.clone().prop_map(Act::Delete),
        key.prop_map(Act::Lock),
        Just(Act::LockSkipping),
        Just(Act::Commit),
        Just(Act::Commit),
        Just(Act::Rollback),
    ];
    (0..TRANSACTIONS, act)
}

struct House {
    database: Database,
    table: TableId,
    open: [Option<TransactionId>; TRANSACTIONS],
    /// What each open transaction would add to which row, in order, deletions as `None`.
    deeds: BTreeMap<TransactionId, Vec<(Key, Deed)>>,
    /// What waits to be known, by transaction.
    asked: BTreeMap<TransactionId, Act>,
    /// What the rows must hold.
    expected: BTreeMap<Key, i64>,
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Insert,
    Add,
    Delete,
}

impl House {
    fn new() -> Self {
        let mut database = Database::new(Settings::default());
        let table = database.create_table(1);
        database.wal_mut().create_slot();
        Self {
            database,
            table,
            open: [None; TRANSACTIONS],
            deeds: BTreeMap::new(),
            asked: BTreeMap::new(),
            expected: BTreeMap::new(),
        }
    }

    fn step(&mut self, place: usize, act: Act) {
        let id = *self.open[place].get_or_insert_with(|| self.database.begin());
        let waits = self.database.waits_on(id).is_some();
        match act {
            Act::Commit if waits => {}
            Act::Commit | Act::Rollback => self.end(place, act),
            _ if waits => {}
            _ => {
                let statement = self.statement(act);
                self.asked.insert(id, act);
                let answer = self.database.execute(NOW, id, statement);
                self.note(id, &answer);
            }
        }
    }

    fn end(&mut self, place: usize, act: Act) {
        let Some(id) = self.open[place].take() else { return };
        let mut resumed: Vec<Resumed> = Vec::new();
        self.asked.remove(&id);
        let deeds = self.deeds.remove(&id).unwrap_or_default();
        let failed = self.database.state(id) == Some(State::Failed);
        let committed = match act {
            Act::Commit => self.database.commit(NOW, id, &mut resumed).is_ok(),
            _ => {
                self.database.rollback(NOW, id, &mut resumed).expect("it is open");
                false
            }
        };
        assert_eq!(committed, matches!(act, Act::Commit) && !failed);
        if committed {
            for (key, deed) in deeds {
                match deed {
                    Deed::Insert => {
                        assert_eq!(self.expected.insert(key, 0), None, "{key} was there");
                    }
                    Deed::Add => *self.expected.get_mut(&key).expect("it is there") += 1,
                    Deed::Delete => {
                        self.expected.remove(&key).expect("it was there");
                    }
                }
            }
        }
        for resumed in resumed {
            self.note(resumed.transaction, &resumed.answer);
        }
    }

    /// Notes what an answer means for the rows, once the transaction commits.
    fn note(&mut self, id: TransactionId, answer: &Answer) {
        let act = self.asked[&id];
        let Answer::Done(outcome) = answer else { return };
        let deeds = self.deeds.entry(id).or_default();
        match (act, outcome) {
            (_, Outcome::Inserted(key)) => deeds.push((*key, Deed::Insert)),
            (Act::Add(key), Outcome::Rows(1)) => deeds.push((Key::number(key), Deed::Add)),
            (Act::Delete(key), Outcome::Rows(1)) => deeds.push((Key::number(key), Deed::Delete)),
            _ => {}
        }
    }

    fn statement(&self, act: Act) -> Statement {
        let table = self.table;
        let insert = |key: Option<i64>, on_conflict| {
            let columns = vec![Value::Number(0)];
            Statement::Insert(Insert { table, key: key.map(Key::number), columns, on_conflict })
        };
        let one = |key| Filter::key(Value::Number(key));
        let select = |filter, limit, lock| {
            Statement::Select(Select { table, filter, order: Order::Key, limit, lock })
        };
        match act {
            Act::Insert(key) => insert(Some(key), OnConflict::Error),
            Act::Skip(key) => insert(Some(key), OnConflict::DoNothing),
            Act::Next => insert(None, OnConflict::DoNothing),
            Act::Add(key) => {
                let set = vec![(0, Assignment::Add(1))];
                Statement::Update(Update { table, filter: one(key), set })
            }
            Act::Delete(key) => Statement::Delete { table, filter: one(key) },
            Act::Lock(key) => select(one(key), None, Lock::ForUpdate),
            Act::LockSkipping => select(Filter::all(), Some(2), Lock::ForUpdateSkipLocked),
            Act::Commit | Act::Rollback => unreachable!("no statement"),
        }
    }

    fn check(&self) {
        let open: Vec<_> = self.database.open().collect();
        for id in &open {
            let mut walked = vec![*id];
            let mut next = self.database.waits_on(*id);
            while let Some(other) = next {
                assert!(open.contains(&other), "it waits for one that has ended");
                assert!(!walked.contains(&other), "a circle");
                walked.push(other);
                next = self.database.waits_on(other);
            }
        }
        let rows: BTreeMap<Key, i64> = self
            .database
            .rows(self.table)
            .map(|row| (row.key, row.columns[0].as_number().expect("a number")))
            .collect();
        assert_eq!(rows, self.expected, "what is committed");
        assert_eq!(self.replayed(), rows, "what the log tells");
    }

    /// The rows as someone has them who only reads the log.
    fn replayed(&self) -> BTreeMap<Key, i64> {
        let mut rows = BTreeMap::new();
        for committed in self.database.wal().after(Lsn::default()) {
            for change in &committed.changes {
                match change.operation {
                    Operation::Insert | Operation::Update => {
                        let number = change.columns[0].as_number().expect("a number");
                        let before = rows.insert(change.key, number);
                        let inserts = change.operation == Operation::Insert;
                        assert_eq!(before.is_none(), inserts, "{change:?}");
                    }
                    Operation::Delete => {
                        rows.remove(&change.key).expect("it was told of");
                    }
                }
            }
        }
        rows
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_doubled_or_stuck(acts in prop::collection::vec(act(), 1..60)) {
        let mut house = House::new();
        for (place, act) in acts {
            house.step(place, act);
            house.check();
        }
        // Everyone ends; those who wait roll back, so all can.
        for _ in 0..TRANSACTIONS {
            for place in 0..TRANSACTIONS {
                house.end(place, Act::Rollback);
                house.check();
            }
        }
        prop_assert_eq!(house.database.open().count(), 0);
    }

    #[test]
    fn the_same_statements_leave_the_same_database(acts in prop::collection::vec(act(), 1..40)) {
        let [mut one, mut two] = [House::new(), House::new()];
        for (place, act) in &acts {
            one.step(*place, *act);
            two.step(*place, *act);
        }
        prop_assert_eq!(one.database, two.database);
    }
}
