//! Two transactions and one row.

use patterns::database::{
    Answer, Database, Insert, Key, OnConflict, Resumed, Settings, Statement, TableId, Value,
};
use patterns::inbox::Scope;
use patterns::inbox::ledger::record;
use patterns::saga::status::{Status, update};

use super::{Differences, NOW, Node, Problem, numbers};

/// So many inserts, of which those whose ids are missing were rolled back.
pub(super) fn gap(node: &Node<'_>) -> Result<Differences, Problem> {
    let ids = numbers(&node.need("ids", "list the ids")?)?;
    let mut database = Database::new(Settings::default());
    let table = database.create_table(0);
    for id in 1..=ids.iter().copied().max().unwrap_or(0) {
        let transaction = database.begin();
        database.execute(NOW, transaction, insert(table, None, vec![]));
        let _ = if ids.contains(&id) {
            database.commit(NOW, transaction, &mut Vec::new())
        } else {
            database.rollback(NOW, transaction, &mut Vec::new())
        };
    }
    let rows: Vec<i64> = database.rows(table).filter_map(|row| row.key.as_number()).collect();
    let mut differences = Differences::default();
    differences.compare("ids", &ids, &rows);
    Ok(differences)
}

/// A second insert of a key waits for the first to end.
pub(super) fn inbox(node: &Node<'_>) -> Result<Differences, Problem> {
    let mut differences = Differences::default();
    for (key, commits) in
        [("first_rollback_second_rowcount", false), ("first_commit_second_rowcount", true)]
    {
        let Some(expected) = node.get(key) else { continue };
        let mut database = Database::new(Settings::default());
        let table = database.create_table(0);
        let statement = || record(table, Scope::ConsumerAndEvent, Value::Word(1), Value::Word(2));
        let [first, second] = [database.begin(), database.begin()];
        database.execute(NOW, first, statement());
        let answer = database.execute(NOW, second, statement());
        differences.compare(key, &Answer::Waits { on: first }, &answer);
        let mut resumed = Vec::new();
        let _ = if commits {
            database.commit(NOW, first, &mut resumed)
        } else {
            database.rollback(NOW, first, &mut resumed)
        };
        differences.compare(key, &Some(expected.whole()?), &count(&resumed));
    }
    Ok(differences)
}

/// "… winner rowcount 1, concurrent loser 0"
pub(super) fn conditional_update(node: &Node<'_>) -> Result<Differences, Problem> {
    let text = node.text()?;
    let number_after = |word: &str| {
        let (_, rest) = text.split_once(word)?;
        let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
    };
    let bad = || node.problem("no counts", "write it as in \"winner rowcount 1, loser 0\"");
    let expected =
        (number_after("winner").ok_or_else(bad)?, number_after("loser").ok_or_else(bad)?);

    let mut database = Database::new(Settings::default());
    let orders = database.create_table(1);
    let setup = database.begin();
    database.execute(NOW, setup, insert(orders, Some(Key::number(1)), vec![Value::Word(0)]));
    let _ = database.commit(NOW, setup, &mut Vec::new());
    let [winner, loser] = [database.begin(), database.begin()];
    let moves = |to| update(orders, Value::Number(1), 0, Status(0), Status(to));
    let mut differences = Differences::default();
    let answer = database.execute(NOW, winner, moves(1));
    let won = matches!(&answer, Answer::Done(outcome) if outcome.count() == expected.0);
    differences.compare("winner", &true, &won);
    differences.compare(
        "loser",
        &Answer::Waits { on: winner },
        &database.execute(NOW, loser, moves(2)),
    );
    let mut resumed = Vec::new();
    let _ = database.commit(NOW, winner, &mut resumed);
    differences.compare("loser", &Some(expected.1), &count(&resumed));
    Ok(differences)
}

fn count(resumed: &[Resumed]) -> Option<u32> {
    match resumed {
        [Resumed { answer: Answer::Done(outcome), .. }] => Some(outcome.count()),
        _ => None,
    }
}

fn insert(table: TableId, key: Option<Key>, columns: Vec<Value>) -> Statement {
    Statement::Insert(Insert { table, key, columns, on_conflict: OnConflict::Error })
}
