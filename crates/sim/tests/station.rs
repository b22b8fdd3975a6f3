//! The station by hand, and its golden run. `tests/tests/queueing_theory.rs` holds it to the theory.

use sim::models::{Station, mm1};
use sim::{SimDuration, SimTime};

/// One customer a second, 2.5 s of service each: the numbers of a small drawing.
#[test]
fn a_station_of_constants_can_be_drawn_by_hand() {
    let rows = [
        // servers, room, served, turned away, end, mean wait, mean stay, utilisation
        (1, None, 4, 0, 11_000, 2.25, 4.75, 10.0 / 11.0),
        (2, None, 4, 0, 7_000, 0.25, 2.75, 10.0 / 14.0),
        (3, None, 4, 0, 6_500, 0.0, 2.5, 10.0 / 19.5),
        (1, Some(1), 2, 2, 6_500, 0.0, 2.5, 5.0 / 6.5),
        (1, Some(2), 3, 1, 8_500, 3.5 / 3.0, 11.0 / 3.0, 7.5 / 8.5),
    ];
    for (servers, room, served, turned_away, end, wait, stay, utilisation) in rows {
        let station = Station { servers, room };
        let gap = SimDuration::from_secs(1);
        let service = SimDuration::from_millis(2_500);
        let report = station.run(4, 0, |_| gap, |_| service);
        assert_eq!((report.arrived, report.served), (4, served), "{station:?}");
        assert_eq!(report.turned_away, turned_away, "{station:?}");
        assert_eq!(report.events, 4 + served, "{station:?}");
        assert_eq!(report.ended, SimTime::from_millis(end), "{station:?}");
        let (waits, stays) = (report.waits.mean() / 1e6, report.sojourns.mean() / 1e6);
        assert!((waits - wait).abs() < 1e-9, "{station:?} waits {waits}");
        assert!((stays - stay).abs() < 1e-9, "{station:?} stays {stays}");
        assert!((report.utilisation - utilisation).abs() < 1e-9, "{station:?}");
        assert!(report.littles.holds);
    }
}

#[test]
fn the_benchmark_has_a_golden_end() {
    let report = mm1(10_000, 1);
    assert_eq!((report.events, report.ended.as_micros()), (20_000, 11_016_106_257));
    assert_eq!(report, mm1(10_000, 1));
    assert_ne!(report, mm1(10_000, 2));
}

#[test]
fn nobody_comes_to_an_empty_run() {
    let report = mm1(0, 1);
    assert_eq!((report.events, report.ended), (0, SimTime::ZERO));
}
