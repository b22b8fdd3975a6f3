//! The rules of sagas, state machines and two-phase commit.

use patterns::database::{Answer, Database, Insert, Key, OnConflict, Settings, Statement, Value};
use patterns::retry::{Backoff, FailureClass, Growth, Policy};
use patterns::saga::choreography::{Choreography, EventKind, Reaction, Work};
use patterns::saga::orchestrator::{Heard, until_they_work};
use patterns::saga::participant::Done;
use patterns::saga::status::{NoRow, StateMachine, Status, update};
use patterns::saga::two_phase::{Coordinator, Decision, Order, Phase, Vote};
use patterns::saga::{
    Command, Compensation, Definition, DefinitionError, Orchestrator, Participant, Progress, Reply,
    Step, StepKind, Tombstones,
};
use sim::{SimDuration, SimTime, Stream};

const NOW: SimTime = SimTime::ZERO;
const EACH_SECOND: Backoff =
    Backoff { growth: Growth::Fixed { delay: SimDuration::from_secs(1) }, ..Backoff::NONE };
const DONE: Reply = Reply::Done;
const FAILED: Reply = Reply::Failed(FailureClass::Permanent);
const BUSY: Reply = Reply::Failed(FailureClass::Transient);

/// The course's purchase: order, reservation, charge, shipping.
fn purchase() -> Definition {
    Definition::new(&[
        Step::compensable(Compensation::Reversible),
        Step::compensable(Compensation::Reversible),
        Step::compensable(Compensation::WithResidue),
        Step::pivot(),
    ])
    .expect("a saga")
}

/// Runs a saga whose participants answer as told, until it is over or waits for nothing. Commands
/// are told as `T1`, `C1`, from 1.
fn run(
    definition: &Definition,
    compensations: Policy,
    mut reply: impl FnMut(Command) -> Option<Reply>,
) -> (Vec<String>, Progress) {
    let mut stream = Stream::new(1, "saga", 0);
    let (mut saga, first) = Orchestrator::start(NOW, definition.clone(), compensations);
    let (mut told, mut next, mut now) = (Vec::new(), Some(first), NOW);
    loop {
        match next {
            Some(command) => {
                told.push(match command {
                    Command::Act { step, .. } => format!("T{}", step + 1),
                    Command::Compensate { step, .. } => format!("C{}", step + 1),
                });
                next = match reply(command) {
                    Some(reply) => saga.answer(now, command, reply, &mut stream).1,
                    None => None,
                };
            }
            None => match saga.next_deadline() {
                Some(at) => {
                    now = at;
                    next = saga.advance(now, &mut stream);
                }
                None => return (told, saga.progress()),
            },
        }
    }
}

#[test]
fn all_steps_in_order_or_the_compensations_in_reverse() {
    let rows = [
        (None, "T1 T2 T3 T4", Progress::Completed),
        (Some(0), "T1", Progress::Compensated),
        (Some(1), "T1 T2 C1", Progress::Compensated),
        (Some(2), "T1 T2 T3 C2 C1", Progress::Compensated),
        (Some(3), "T1 T2 T3 T4 C3 C2 C1", Progress::Compensated),
    ];
    for (fails, expected, progress) in rows {
        let reply = |command| match command {
            Command::Act { step, .. } if Some(step) == fails => Some(FAILED),
            _ => Some(DONE),
        };
        let told = run(&purchase(), until_they_work(EACH_SECOND), reply);
        assert_eq!((told.0.join(" "), told.1), (expected.to_owned(), progress));
    }
}

#[test]
fn a_step_is_retried_before_it_counts_as_failed() {
    let mut steps = purchase().steps().to_vec();
    steps[1].retries = Policy::attempts(3, EACH_SECOND);
    let definition = Definition::new(&steps).expect("a saga");
    let mut failures = 2;
    let told = run(&definition, until_they_work(EACH_SECOND), |command| {
        let fails = matches!(command, Command::Act { step: 1, .. }) && failures > 0;
        failures -= u32::from(fails);
        Some(if fails { BUSY } else { DONE })
    });
    assert_eq!(told.0.join(" "), "T1 T2 T2 T2 T3 T4");
    let told = run(&definition, until_they_work(EACH_SECOND), |command| {
        Some(if matches!(command, Command::Act { step: 1, .. }) { BUSY } else { DONE })
    });
    assert_eq!(told.0.join(" "), "T1 T2 T2 T2 C1");
}

#[test]
fn past_the_pivot_a_step_is_tried_until_it_works() {
    let definition = Definition::new(&[
        Step::compensable(Compensation::Reversible),
        Step::pivot(),
        Step::retriable(Policy::attempts(2, EACH_SECOND)),
    ])
    .expect("a saga");
    let mut failures = 5;
    let told = run(&definition, until_they_work(EACH_SECOND), |command| {
        let fails = matches!(command, Command::Act { step: 2, .. }) && failures > 0;
        failures -= u32::from(fails);
        Some(if fails { FAILED } else { DONE })
    });
    assert_eq!(told.0.join(" "), "T1 T2 T3 T3 T3 T3 T3 T3");
    assert_eq!(told.1, Progress::Completed);
}

/// Without a pivot the first step may be one that must succeed.
#[test]
fn a_first_step_that_must_succeed_is_tried_until_it_works() {
    let step = Step::retriable(Policy::attempts(2, EACH_SECOND));
    let mut failures = 3;
    let told = run(&Definition::new(&[step]).expect("a saga"), Policy::NONE, |_| {
        let fails = failures > 0;
        failures -= u32::from(fails);
        Some(if fails { BUSY } else { DONE })
    });
    assert_eq!(told.0.join(" "), "T1 T1 T1 T1");
    assert_eq!(told.1, Progress::Completed);
}

#[test]
fn compensations_are_tried_until_they_work_or_leave_the_saga_stuck() {
    let fails = |times: u32| {
        let mut left = times;
        move |command| match command {
            Command::Act { step: 3, .. } => Some(FAILED),
            Command::Compensate { step: 2, .. } if left > 0 => {
                left -= 1;
                Some(BUSY)
            }
            _ => Some(DONE),
        }
    };
    let told = run(&purchase(), until_they_work(EACH_SECOND), fails(2));
    assert_eq!(told.0.join(" "), "T1 T2 T3 T4 C3 C3 C3 C2 C1");
    let told = run(&purchase(), Policy::attempts(2, EACH_SECOND), fails(2));
    assert_eq!(
        (told.0.join(" "), told.1),
        ("T1 T2 T3 T4 C3 C3".to_owned(), Progress::Stuck { step: 2 })
    );
}

#[test]
fn a_step_that_times_out_is_compensated_too_and_a_pivot_is_asked_again() {
    let mut steps = purchase().steps().to_vec();
    for step in &mut steps {
        step.timeout = Some(SimDuration::from_secs(2));
    }
    let definition = Definition::new(&steps).expect("a saga");
    let told = run(&definition, until_they_work(EACH_SECOND), |command| match command {
        Command::Act { step: 2, .. } => None,
        _ => Some(DONE),
    });
    assert_eq!((told.0.join(" "), told.1), ("T1 T2 T3 C3 C2 C1".to_owned(), Progress::Compensated));
    let mut silent = 3;
    let told = run(&definition, until_they_work(EACH_SECOND), |command| {
        let silent_now = matches!(command, Command::Act { step: 3, .. }) && silent > 0;
        silent -= u32::from(silent_now);
        (!silent_now).then_some(DONE)
    });
    assert_eq!(
        (told.0.join(" "), told.1),
        ("T1 T2 T3 T4 T4 T4 T4".to_owned(), Progress::Completed)
    );
}

#[test]
fn an_answer_that_comes_too_late_is_told_and_changes_nothing() {
    let mut steps = purchase().steps().to_vec();
    steps[0].timeout = Some(SimDuration::from_secs(2));
    let definition = Definition::new(&steps).expect("a saga");
    let mut stream = Stream::new(1, "saga", 0);
    let (mut saga, act) = Orchestrator::start(NOW, definition, until_they_work(EACH_SECOND));
    assert_eq!(saga.next_deadline(), Some(SimTime::from_secs(2)));
    assert_eq!(saga.advance(SimTime::from_secs(1), &mut stream), None);
    let undo = saga.advance(SimTime::from_secs(2), &mut stream).expect("it gives up");
    assert_eq!(undo, Command::Compensate { step: 0, attempt: 1 });
    let late = saga.answer(SimTime::from_secs(3), act, DONE, &mut stream);
    assert_eq!(late, (Heard::Late, None));
    assert_eq!(saga.answer(SimTime::from_secs(3), undo, DONE, &mut stream), (Heard::InTime, None));
    assert!(saga.is_over());
    assert_eq!(saga.commands(0), (1, 1));
}

#[test]
fn steps_stand_in_their_order() {
    let (compensable, pivot, retriable) =
        (Step::compensable(Compensation::None), Step::pivot(), Step::retriable(Policy::NONE));
    let rows = [
        (vec![], Err(DefinitionError::Empty)),
        (vec![compensable, pivot, retriable], Ok(())),
        (vec![retriable], Ok(())),
        (vec![pivot, compensable], Err(DefinitionError::CompensableTooLate { step: 1 })),
        (vec![retriable, compensable], Err(DefinitionError::CompensableTooLate { step: 1 })),
        (vec![compensable, pivot, pivot], Err(DefinitionError::PivotTooLate { step: 2 })),
        (vec![retriable, pivot], Err(DefinitionError::PivotTooLate { step: 1 })),
    ];
    for (steps, expected) in rows {
        assert_eq!(Definition::new(&steps).map(|_| ()), expected, "{steps:?}");
    }
    let kinds: Vec<_> = purchase().undone(3).collect();
    let expected = [
        (2, Compensation::WithResidue),
        (1, Compensation::Reversible),
        (0, Compensation::Reversible),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(purchase().steps()[3].kind, StepKind::Pivot);
    assert!((purchase().success_odds(0.999) - 0.996_006).abs() < 1e-6);
}

#[test]
fn a_participant_does_each_key_once_in_either_direction() {
    let mut shop = Participant::new(Tombstones::Written);
    let rows = [
        (shop.act(1), Done::Now),
        (shop.act(1), Done::Before),
        (shop.compensate(1), Done::Now),
        (shop.compensate(1), Done::Before),
        (shop.act(1), Done::Refused),
    ];
    for (place, (actual, expected)) in rows.into_iter().enumerate() {
        assert_eq!(actual, expected, "command {place}");
    }
    assert_eq!((shop.acts(), shop.compensations(), shop.standing()), (1, 1, 0));
}

#[test]
fn only_a_tombstone_stops_an_action_whose_compensation_came_first() {
    for (tombstones, late, standing) in
        [(Tombstones::Written, Done::Refused, 0), (Tombstones::None, Done::Now, 1)]
    {
        let mut shop = Participant::new(tombstones);
        assert_eq!(shop.compensate(1), Done::NothingToUndo);
        assert_eq!(shop.act(1), late, "{tombstones:?}");
        assert_eq!(shop.standing(), standing, "{tombstones:?}");
    }
}

const PLACED: Status = Status(1);
const PAID: Status = Status(2);
const ALLOCATED: Status = Status(3);
const SHIPPED: Status = Status(4);
const CANCELLED: Status = Status(5);

fn order() -> StateMachine {
    StateMachine::new(&[
        (PLACED, PAID),
        (PAID, ALLOCATED),
        (ALLOCATED, SHIPPED),
        (PLACED, CANCELLED),
        (PAID, CANCELLED),
    ])
}

#[test]
fn a_duplicate_or_early_event_moves_nothing() {
    let machine = order();
    let mut status = PLACED;
    let fed = [(PLACED, PAID), (PLACED, PAID), (ALLOCATED, SHIPPED), (PAID, ALLOCATED)];
    let rows = fed.map(|(from, to)| machine.fire(&mut status, from, to));
    assert_eq!(rows, [1, 0, 0, 1]);
    assert_eq!(status, ALLOCATED, "stuck, if the early one was acked");
    assert_eq!(machine.fire(&mut status, ALLOCATED, SHIPPED), 1, "not, if it was handed back");
    assert_eq!(machine.fire(&mut status, SHIPPED, PLACED), 0, "no such move");
}

#[test]
fn no_row_means_one_of_three_things() {
    let machine = order();
    let rows = [
        (PAID, PLACED, PAID, NoRow::Duplicate),
        (SHIPPED, PLACED, PAID, NoRow::Duplicate),
        (PAID, ALLOCATED, SHIPPED, NoRow::Early),
        (PLACED, ALLOCATED, SHIPPED, NoRow::Early),
        (CANCELLED, PAID, ALLOCATED, NoRow::Unfit),
        (SHIPPED, PLACED, CANCELLED, NoRow::Unfit),
    ];
    for (status, from, to, expected) in rows {
        assert_eq!(machine.no_row(status, from, to), expected, "{status:?}: {from:?} to {to:?}");
    }
}

#[test]
fn a_conditional_update_in_a_database_counts_the_same_rows() {
    let mut database = Database::new(Settings::default());
    let orders = database.create_table(1);
    let transaction = database.begin();
    let insert = Insert {
        table: orders,
        key: Some(Key::number(1)),
        columns: vec![Value::Word(PLACED.0)],
        on_conflict: OnConflict::Error,
    };
    database.execute(NOW, transaction, Statement::Insert(insert));
    for expected in [1, 0] {
        let statement = update(orders, Value::Number(1), 0, PLACED, PAID);
        let answer = database.execute(NOW, transaction, statement);
        assert!(matches!(answer, Answer::Done(outcome) if outcome.count() == expected));
    }
}

const ORDERED: EventKind = EventKind(1);
const RESERVED: EventKind = EventKind(2);
const CHARGED: EventKind = EventKind(3);
const REFUSED: EventKind = EventKind(4);

fn reactions() -> [Reaction; 3] {
    let reaction = |service, on, success, failure| Reaction { service, on, success, failure };
    [
        reaction(1, ORDERED, Some(RESERVED), None),
        reaction(2, RESERVED, Some(CHARGED), Some(REFUSED)),
        reaction(1, REFUSED, None, None),
    ]
}

#[test]
fn services_react_to_each_other_and_a_swallowed_error_ends_all_in_silence() {
    let choreography = Choreography::new(&reactions());
    let rows = [
        (Work::Succeeds, vec![0, 1], vec![ORDERED, RESERVED, CHARGED]),
        (Work::Fails, vec![0, 1, 2], vec![ORDERED, RESERVED, REFUSED]),
        (Work::Swallowed, vec![0, 1], vec![ORDERED, RESERVED]),
    ];
    for (charge, reacted, events) in rows {
        let course = choreography
            .play(ORDERED, 100, |place, _| if place == 1 { charge } else { Work::Succeeds });
        assert_eq!((course.reactions, course.events), (reacted, events), "{charge:?}");
        assert_eq!(course.cut, None);
    }
    assert_eq!(choreography.services(), 2);
    assert_eq!(choreography.circle(), None);
}

#[test]
fn a_circle_is_found_and_cut() {
    let mut reactions = reactions().to_vec();
    reactions.push(Reaction { service: 3, on: CHARGED, success: Some(ORDERED), failure: None });
    let choreography = Choreography::new(&reactions);
    assert_eq!(choreography.circle(), Some(vec![ORDERED, RESERVED, CHARGED]));
    let course = choreography.play(ORDERED, 10, |_, _| Work::Succeeds);
    assert_eq!(course.cut, Some(10));
}

fn told(coordinator: &Coordinator) -> Vec<(usize, Order)> {
    coordinator.orders().collect()
}

#[test]
fn all_yes_commits_and_one_no_aborts() {
    let mut all_yes = Coordinator::start(NOW, 2, None);
    assert_eq!(told(&all_yes), [(0, Order::Prepare), (1, Order::Prepare)]);
    all_yes.vote(0, Vote::Yes);
    assert_eq!(told(&all_yes), [(1, Order::Prepare)]);
    assert_eq!(all_yes.inquire(), None, "in doubt");
    all_yes.vote(1, Vote::Yes);
    assert_eq!(told(&all_yes), [(0, Order::Commit), (1, Order::Commit)]);
    all_yes.ack(0);
    assert_eq!((all_yes.phase(), told(&all_yes)), (Phase::Committing, vec![(1, Order::Commit)]));
    all_yes.ack(1);
    assert_eq!(all_yes.phase(), Phase::Ended(Decision::Commit));

    let mut one_no = Coordinator::start(NOW, 2, None);
    one_no.vote(0, Vote::Yes);
    one_no.vote(1, Vote::No);
    assert_eq!(told(&one_no), [(0, Order::Abort)], "who said no has aborted by itself");
    one_no.ack(0);
    assert_eq!(one_no.phase(), Phase::Ended(Decision::Abort));
}

#[test]
fn a_missing_vote_is_a_no_and_a_late_one_changes_nothing() {
    let mut coordinator = Coordinator::start(NOW, 2, Some(SimDuration::from_secs(30)));
    coordinator.vote(0, Vote::Yes);
    coordinator.advance(SimTime::from_secs(29));
    assert_eq!(coordinator.phase(), Phase::Voting);
    assert_eq!(coordinator.next_deadline(), Some(SimTime::from_secs(30)));
    coordinator.advance(SimTime::from_secs(30));
    coordinator.vote(1, Vote::Yes);
    assert_eq!(told(&coordinator), [(0, Order::Abort), (1, Order::Abort)]);
}

#[test]
fn a_coordinator_that_died_presumes_abort_unless_it_had_decided() {
    let mut undecided = Coordinator::start(NOW, 2, None);
    undecided.vote(0, Vote::Yes);
    undecided.recover();
    assert_eq!(undecided.inquire(), Some(Decision::Abort));

    let mut decided = Coordinator::start(NOW, 1, None);
    decided.vote(0, Vote::Yes);
    decided.recover();
    assert_eq!(decided.inquire(), Some(Decision::Commit));
}

/// Payment takes 30 s to vote: the stock row is locked for as long.
#[test]
fn a_participant_in_doubt_holds_its_locks() {
    let mut stock = Database::new(Settings::default());
    let bottles = stock.create_table(1);
    let setup = stock.begin();
    let insert = Insert {
        table: bottles,
        key: Some(Key::number(1)),
        columns: vec![Value::Number(5)],
        on_conflict: OnConflict::Error,
    };
    stock.execute(NOW, setup, Statement::Insert(insert));
    stock.commit(NOW, setup, &mut Vec::new()).expect("open");

    let take = || {
        Statement::Update(patterns::database::Update {
            table: bottles,
            filter: patterns::database::Filter::key(Value::Number(1)),
            set: vec![(0, patterns::database::Assignment::Add(-1))],
        })
    };
    let first = stock.begin();
    stock.execute(NOW, first, take());
    stock.prepare(first).expect("active");
    let buyers: Vec<_> = (1..=14)
        .map(|place| {
            let buyer = stock.begin();
            let answer = stock.execute(SimTime::from_secs(2 * place), buyer, take());
            assert!(matches!(answer, Answer::Waits { .. }));
            buyer
        })
        .collect();
    assert_eq!(buyers.len(), 14);
    let mut resumed = Vec::new();
    stock.commit_prepared(SimTime::from_secs(30), first, &mut resumed).expect("prepared");
    assert_eq!(resumed.len(), 1, "the others wait for the next in line");
    assert_eq!(resumed[0].transaction, buyers[0]);
}
