//! The rules of the database, one diary a rule.

mod diary;
mod properties;

use diary::{check, check_with};
use patterns::database::{
    Answer, Database, Field, Filter, Insert, Is, Key, Lock, OnConflict, Order, Outcome, Select,
    Settings, Statement, Value,
};
use sim::{SimDuration, SimTime};

#[test]
fn others_see_a_change_when_it_is_committed_and_its_own_transaction_at_once() {
    check(
        "
        0 T1 insert 5 7        = inserted 5
        0 T1 read              = 5:7
        0 T2 read              = nothing
        0 T1 commit            = committed
        0 T2 read              = 5:7
        ",
    );
}

#[test]
fn a_statement_sees_what_was_committed_when_it_began_not_when_its_transaction_did() {
    check(
        "
        0 T1 insert 1 1        = inserted 1
        0 T1 commit            = committed
        0 T2 read              = 1:1
        0 T3 update 1 to 2     = 1 rows
        0 T2 read              = 1:1
        0 T3 commit            = committed
        0 T2 read              = 1:2
        ",
    );
}

#[test]
fn an_insert_waits_for_an_open_insert_of_its_key() {
    check(
        "
        0 T1 insert 5          = inserted 5
        0 T2 insert 5          = waits for T1
        0 T1 commit            = committed; T2 refused: a row with key 5 is there
        0 T2 insert 6          = refused: the transaction has failed: roll it back
        0 T2 commit            = the transaction has failed: roll it back
        0 T3 insert 7          = inserted 7
        0 T4 insert 7          = waits for T3
        0 T3 rollback          = rolled back; T4 inserted 7
        ",
    );
}

#[test]
fn an_insert_or_skip_waits_and_then_goes_in_or_counts_no_rows() {
    check(
        "
        0 T1 skip 5            = inserted 5
        0 T2 skip 5            = waits for T1
        0 T1 commit            = committed; T2 0 rows
        0 T2 insert 9          = inserted 9
        0 T2 commit            = committed
        0 T3 skip 6            = inserted 6
        0 T4 skip 6            = waits for T3
        0 T3 rollback          = rolled back; T4 inserted 6
        0 T5 skip 5            = 0 rows
        ",
    );
}

#[test]
fn an_insert_waits_for_an_open_delete_but_not_for_an_open_update_or_lock() {
    check(
        "
        0 T1 insert 5          = inserted 5
        0 T1 commit            = committed
        0 T2 delete 5          = 1 rows
        0 T3 skip 5            = waits for T2
        0 T2 commit            = committed; T3 inserted 5
        0 T3 commit            = committed
        0 T4 update 5 to 1     = 1 rows
        0 T5 skip 5            = 0 rows
        ",
    );
}

#[test]
fn a_conditional_update_has_one_winner() {
    check(
        "
        0 T1 insert 1 0        = inserted 1
        0 T1 commit            = committed
        0 T2 update 1 from 0 to 1 = 1 rows
        0 T3 update 1 from 0 to 2 = waits for T2
        0 T2 commit            = committed; T3 0 rows
        0 T4 read              = 1:1
        ",
    );
}

#[test]
fn the_loser_wins_if_the_winner_rolls_back() {
    check(
        "
        0 T1 insert 1 0        = inserted 1
        0 T1 commit            = committed
        0 T2 update 1 from 0 to 1 = 1 rows
        0 T3 update 1 from 0 to 2 = waits for T2
        0 T2 rollback          = rolled back; T3 1 rows
        0 T3 commit            = committed
        0 T4 read              = 1:2
        ",
    );
}

#[test]
fn adding_twice_is_twice_and_setting_twice_is_once() {
    check(
        "
        0 T1 insert 1 100      = inserted 1
        0 T1 add 1 10          = 1 rows
        0 T1 add 1 10          = 1 rows
        0 T1 read              = 1:120
        0 T1 update 1 to 110   = 1 rows
        0 T1 update 1 to 110   = 1 rows
        0 T1 read              = 1:110
        ",
    );
}

#[test]
fn an_update_after_waiting_works_on_the_newest_version() {
    check(
        "
        0 T1 insert 1 100      = inserted 1
        0 T1 commit            = committed
        0 T2 add 1 10          = 1 rows
        0 T3 add 1 10          = waits for T2
        0 T2 commit            = committed; T3 1 rows
        0 T3 commit            = committed
        0 T4 read              = 1:120
        ",
    );
}

#[test]
fn a_lock_is_held_to_the_end_and_those_who_wait_go_in_turn() {
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T1 commit            = committed
        0 T2 lock 1            = 1:null
        0 T3 lock 1            = waits for T2
        0 T4 update 1 to 4     = waits for T2
        0 T2 commit            = committed; T3 1:null
        0 T3 update 1 to 3     = 1 rows
        0 T3 commit            = committed; T4 1 rows
        0 T4 commit            = committed
        0 T5 read              = 1:4
        ",
    );
}

#[test]
fn a_plain_read_waits_for_nobody() {
    check(
        "
        0 T1 insert 1 1        = inserted 1
        0 T1 commit            = committed
        0 T2 update 1 to 2     = 1 rows
        0 T3 read              = 1:1
        0 T3 lock 1            = waits for T2
        ",
    );
}

#[test]
fn skip_locked_passes_over_what_others_hold_and_nowait_fails() {
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T1 insert 2          = inserted 2
        0 T1 insert 3          = inserted 3
        0 T1 commit            = committed
        0 T2 lock-skip limit 2 = 1:null, 2:null
        0 T3 lock-skip limit 2 = 3:null
        0 T4 lock-skip limit 2 = nothing
        0 T5 lock-nowait 3     = refused: a lock was not to be had at once
        0 T2 rollback          = rolled back
        0 T6 lock-skip limit 2 = 1:null, 2:null
        ",
    );
}

#[test]
fn a_limit_counts_rows_that_still_match_after_waiting() {
    // The second relay waits for row 1, finds it published, and takes row 2.
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T1 insert 2          = inserted 2
        0 T1 commit            = committed
        0 T2 lock-null limit 1 = 1:null
        0 T3 lock-null limit 1 = waits for T2
        0 T2 update 1 to 9     = 1 rows
        0 T2 commit            = committed; T3 2:null
        ",
    );
}

#[test]
fn a_circle_of_waiting_is_broken_where_it_would_close() {
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T1 insert 2          = inserted 2
        0 T1 commit            = committed
        0 T2 update 1 to 2     = 1 rows
        0 T3 update 2 to 3     = 1 rows
        0 T2 update 2 to 2     = waits for T3
        0 T3 update 1 to 3     = refused: a deadlock with transaction T2
        0 T3 rollback          = rolled back; T2 1 rows
        0 T2 commit            = committed
        0 T4 read              = 1:2, 2:2
        ",
    );
}

#[test]
fn a_sequence_never_gives_a_number_twice_so_a_rollback_leaves_a_gap() {
    check(
        "
        0 T1 insert next       = inserted 1
        0 T2 insert next       = inserted 2
        0 T2 rollback          = rolled back
        0 T3 insert next       = inserted 3
        0 T3 commit            = committed
        0 T1 commit            = committed
        0 T4 read              = 1:null, 3:null
        ",
    );
}

#[test]
fn numbers_are_given_out_in_one_order_and_committed_in_another() {
    check(
        "
        0 T1 insert next       = inserted 1
        0 T2 insert next       = inserted 2
        0 T2 commit            = committed
        0 T3 read              = 2:null
        0 T1 commit            = committed
        0 T3 read              = 1:null, 2:null
        0 T3 log               = [2], [1]
        ",
    );
}

#[test]
fn the_log_has_whole_transactions_and_nothing_of_those_that_rolled_back() {
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T2 insert 2          = inserted 2
        0 T2 rollback          = rolled back
        0 T3 insert 3          = inserted 3
        0 T1 delete 1          = 1 rows
        0 T1 commit            = committed
        0 T4 log               = [1, 1]
        0 T3 commit            = committed
        0 T4 log               = [1, 1], [3]
        ",
    );
}

#[test]
fn a_statement_that_waits_for_too_long_is_refused() {
    let settings =
        Settings { lock_timeout: Some(SimDuration::from_secs(5)), ..Settings::default() };
    check_with(
        settings,
        "
        0  T1 insert 1         = inserted 1
        2  T2 insert 1         = waits for T1
        3  T3 insert 1         = waits for T1
        6  T4 advance          = nothing; next at 7
        7  T4 advance          = T2 refused: a lock was not to be had in time; next at 8
        7  T1 commit           = committed; T3 refused: a row with key 1 is there
        ",
    );
}

#[test]
fn what_is_prepared_keeps_its_locks_through_a_crash() {
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T1 commit            = committed
        0 T2 update 1 to 2     = 1 rows
        0 T2 prepare           = prepared
        0 T3 insert 3          = inserted 3
        0 T2 commit            = the transaction is prepared: commit or roll back what is prepared
        0 T4 crash             = crashed
        0 T5 read              = 1:null
        0 T5 update 1 to 5     = waits for T2
        0 T2 commit-prepared   = committed; T5 1 rows
        0 T3 commit            = the transaction is not open
        ",
    );
}

#[test]
fn a_crash_takes_open_transactions_and_their_locks_with_it() {
    check(
        "
        0 T1 insert 1          = inserted 1
        0 T2 insert 1          = waits for T1
        0 T3 crash             = crashed
        0 T4 insert 1          = inserted 1
        ",
    );
}

/// Which of the columns null, 1, 2 and the word 2 a condition holds for. Nothing is equal to null,
/// nor different from it.
#[test]
fn conditions_hold_as_in_sql() {
    let (one, two, word) = (Value::Number(1), Value::Number(2), Value::Word(2));
    let values = [Value::Null, one, two, word];
    let rows: [(Is, &[Value]); 15] = [
        (Is::BelowOldestOpen, &[]),
        (Is::Equal(one), &[one]),
        (Is::Equal(word), &[word]),
        (Is::Equal(Value::Null), &[]),
        (Is::NotEqual(one), &[two, word]),
        (Is::NotEqual(Value::Null), &[]),
        (Is::Above(one), &[two]),
        (Is::AtLeast(one), &[one, two]),
        (Is::Below(two), &[one]),
        (Is::AtMost(two), &[one, two]),
        (Is::AtLeast(word), &[word]),
        (Is::Null, &[Value::Null]),
        (Is::NotNull, &[one, two, word]),
        (Is::Share { index: 0, of: 2 }, &[two, word]),
        (Is::Share { index: 1, of: 2 }, &[one]),
    ];
    let mut database = Database::new(Settings::default());
    let table = database.create_table(1);
    let setup = database.begin();
    for value in values {
        let insert =
            Insert { table, key: None, columns: vec![value], on_conflict: OnConflict::Error };
        database.execute(SimTime::ZERO, setup, Statement::Insert(insert));
    }
    for (is, expected) in rows {
        let select = Select {
            table,
            filter: Filter::all().and(Field::Column(0), is),
            order: Order::Key,
            limit: None,
            lock: Lock::None,
        };
        let Answer::Done(Outcome::Read(found)) =
            database.execute(SimTime::ZERO, setup, Statement::Select(select))
        else {
            panic!("a plain read waits for nobody");
        };
        let found: Vec<_> = found.iter().map(|row| row.columns[0]).collect();
        assert_eq!(found, expected, "{is:?}");
    }
}

#[test]
fn reads_come_in_the_order_asked_for_with_nulls_last() {
    let mut database = Database::new(Settings::default());
    let table = database.create_table(1);
    let late = database.begin();
    let early = database.begin();
    // The transaction that writes first has the lower number, whenever it began.
    for (transaction, key, column) in
        [(early, 9, Value::Number(5)), (late, 1, Value::Null), (early, 3, Value::Number(2))]
    {
        let insert = Insert {
            table,
            key: Some(Key::number(key)),
            columns: vec![column],
            on_conflict: OnConflict::Error,
        };
        database.execute(SimTime::ZERO, transaction, Statement::Insert(insert));
    }
    for transaction in [early, late] {
        database.commit(SimTime::ZERO, transaction, &mut Vec::new()).expect("it is open");
    }
    let reader = database.begin();
    let rows = [
        (Order::Key, [1, 3, 9]),
        (Order::InsertedByThenKey, [3, 9, 1]),
        (Order::Column(0), [3, 9, 1]),
    ];
    for (order, expected) in rows {
        let select = Select { table, filter: Filter::all(), order, limit: None, lock: Lock::None };
        let answer = database.execute(SimTime::ZERO, reader, Statement::Select(select));
        let Answer::Done(outcome) = answer else { panic!("a plain read waits for nobody") };
        assert_eq!(outcome.keys(), expected.map(Key::number), "{order:?}");
    }
}
