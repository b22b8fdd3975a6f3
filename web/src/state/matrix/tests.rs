//! The crash matrix in a learner's hands.

use explore::{Outcome, Progress};
use scenario::wire::Value;
use sim::SimTime;
use world::What;

use super::*;
use crate::testing::{opened, words};

fn explored(id: &str) -> Session {
    let mut session = opened(id);
    session.act(Act::Explore);
    assert_eq!(session.explore_on(|| true), Progress::Done);
    session
}

fn finish(session: &mut Session) {
    while session.compute(usize::MAX) == player::Progress::Running {}
}

/// Every cell of every program.
fn cells(shown: &MatrixShown) -> Vec<&CellShown> {
    let rows = shown.programs.iter().flat_map(|program| &program.rows);
    rows.flat_map(|row| row.cells.iter().flatten()).collect()
}

#[test]
fn the_table_reads_as_the_program_does() {
    let session = explored("ack-line");
    let shown = matrix(&session, &words()).expect("it was asked for");
    let [program] = &shown.programs[..] else { panic!("one handler") };
    let rows: Vec<_> = program.rows.iter().map(|row| (row.line, row.label.as_str())).collect();
    let wanted = [
        (0, "before line 1"),
        (1, "check"),
        (0, "between 1 and 2"),
        (2, "charge card"),
        (0, "between 2 and 3"),
        (3, "ack"),
        (0, "after line 3"),
    ];
    assert_eq!(rows, wanted);
    let outcomes: Vec<_> =
        program.rows.iter().map(|row| row.cells[0].as_ref().map(|cell| cell.outcome)).collect();
    let fine = Some(Outcome::Fine);
    assert_eq!(outcomes, [fine, None, fine, fine, Some(Outcome::Duplicated), None, fine]);
    assert_eq!(shown.sum, "5 crashes: 4 fine, 1 again.");
    assert_eq!((shown.done, shown.planned), (5, Some(5)));
    assert_eq!(shown.key.len(), 2, "only what there is is explained");
    let said: Vec<_> =
        shown.properties.iter().map(|it| (it.said.as_str(), it.breach.is_some())).collect();
    assert_eq!(
        said,
        [
            ("“no message lost” holds wherever it crashes.", false),
            ("One crash is enough to break “no effect twice”.", true),
        ]
    );
}

#[test]
fn a_cell_is_a_run_and_its_link_is_the_run_s() {
    let (mut session, words) = (explored("event-life"), words());
    let shown = matrix(&session, &words).expect("it was asked for");
    let cell = *cells(&shown).iter().find(|it| it.outcome == Outcome::Duplicated).expect("a cell");
    assert!(!cell.here && shown.opened.is_empty());
    session.act(Act::OpenCell(cell.place.0, cell.place.1));
    finish(&mut session);
    let found = session.player().trace().iter().find(|it| matches!(it.what, What::Crashed { .. }));
    assert_eq!(found.map(|event| event.at), Some(session.now()), "the playhead is at the crash");
    let shown = matrix(&session, &words).expect("it stays");
    assert!(shown.opened.starts_with("In the run now: "), "{}", shown.opened);
    assert!(shown.opened.contains("Times done: 2; without the crash: 1."), "{}", shown.opened);
    let here: Vec<_> = cells(&shown).into_iter().filter(|it| it.here).collect();
    assert_eq!(here.iter().map(|it| it.place).collect::<Vec<_>>(), [cell.place]);
    // Whoever is sent the run sees the same.
    let link = session.run_state().encode().expect("a link");
    let mut other = opened("event-life");
    other.act(Act::Restore(link));
    finish(&mut other);
    assert_eq!(other.player().trace(), session.player().trace());
    assert_eq!((other.now(), other.followed()), (session.now(), session.followed()));
    // Once more takes it out.
    session.act(Act::OpenCell(cell.place.0, cell.place.1));
    assert!(session.player().interventions().is_empty());
    assert!(matrix(&session, &words).expect("it stays").opened.is_empty());
}

#[test]
fn every_cell_comes_to_what_it_says() {
    let (mut session, words) = (explored("lost-ack"), words());
    let shown = matrix(&session, &words).expect("it was asked for");
    for cell in cells(&shown) {
        session.act(Act::OpenCell(cell.place.0, cell.place.1));
        finish(&mut session);
        let trace = session.player().trace();
        let crashes = trace.iter().filter(|it| matches!(it.what, What::Crashed { .. }));
        assert_eq!(crashes.count(), 1, "{}", cell.said);
        assert!(cell.said.starts_with(&cell.word), "{}", cell.said);
    }
}

#[test]
fn a_property_that_breaks_shows_the_run_that_breaks_it() {
    let mut session = explored("ack-line");
    let shown = matrix(&session, &words()).expect("it was asked for");
    let breach = shown.properties.iter().find_map(|it| it.breach.clone()).expect("one breaks");
    session.act(breach);
    finish(&mut session);
    let broken = session
        .player()
        .verdicts()
        .into_iter()
        .filter(|it| matches!(it.finding, player::Finding::Broken { .. }));
    assert_eq!(broken.count(), 1);
}

#[test]
fn another_scenario_has_another_matrix_and_another_crash_has_not() {
    let (mut session, words) = (explored("ack-line"), words());
    let before = matrix(&session, &words).expect("it was asked for");
    session.act(Act::Seek(SimTime::from_secs(1)));
    session.act(Act::Break(0));
    assert!(!session.explores(), "what is done to the run is in none of these");
    assert_eq!(matrix(&session, &words).map(|it| it.sum), Some(before.sum));
    // The ack before the work: now the work is lost where it was done again.
    session.act(Act::Reorder { from: 2, to: 0 });
    assert!(session.explores(), "it is asked for anew");
    session.explore_on(|| true);
    let after = matrix(&session, &words).expect("it stays");
    assert!(after.key.iter().any(|(outcome, ..)| *outcome == Outcome::Lost), "{}", after.sum);
    session.act(Act::DropMatrix);
    assert!(matrix(&session, &words).is_none());
}

#[test]
fn settings_of_one_s_own_stay_when_a_cell_is_opened() {
    let (mut session, words) = (explored("event-life"), words());
    let pointer = "/components/alerts/visibility_timeout".to_owned();
    session.act(Act::Change { pointer, value: Value::text("5s") });
    session.explore_on(|| true);
    let changes = session.run_state().changes;
    let shown = matrix(&session, &words).expect("it stays");
    let cell = cells(&shown)[0].place;
    session.act(Act::OpenCell(cell.0, cell.1));
    assert!(session.notices().is_empty(), "{:?}", session.notices());
    let now = session.run_state().changes;
    assert!(changes.iter().all(|change| now.contains(change)), "{now:?}");
}

#[test]
fn what_is_stopped_is_shown_as_far_as_it_came() {
    let (mut session, words) = (opened("event-life"), words());
    session.act(Act::Explore);
    session.act(Act::StopExploring);
    assert!(matrix(&session, &words).is_none(), "nothing was tried yet");
    session.act(Act::Explore);
    let mut left = 12;
    session.explore_on(|| {
        left -= 1;
        left > 0
    });
    session.act(Act::StopExploring);
    let shown = matrix(&session, &words).expect("some are tried");
    assert!(!session.explores());
    assert!(
        Some(shown.done) < shown.planned && shown.done > 0,
        "{:?}",
        (shown.done, shown.planned)
    );
}

#[test]
fn where_nothing_runs_nothing_can_crash() {
    assert!(opened("event-life").can_crash());
    assert!(!opened("order-1041").views().contains(&course::View::Matrix));
}
