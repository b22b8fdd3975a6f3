//! The rules of how many processes run, and of links that are cut, each as a run.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::{ComponentFrame, WorkerState};
use serde_json::{Value as Json, json};
use sim::SimTime;
use tests::runs::{check, check_run, finished, trace_text, with};

fn arrivals(at: &[&str]) -> (&'static str, Json) {
    ("/components/feed/arrivals", json!({ "at": at }))
}

#[test]
fn who_does_not_run_takes_nothing_until_it_is_started_and_that_takes_its_time() {
    let scale =
        json!([{ "at": "1s", "scale": { "component": "crew", "to": 3, "start_up": "10s" } }]);
    check(
        &[
            ("/components/crew/count", json!(3)),
            ("/components/crew/running", json!(1)),
            ("/components/mail/latency", json!("20s")),
            arrivals(&["0s", "0s", "0s"]),
            ("/faults", scale),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "1.000000 scaled crew from 1 to 3",
            "11.000000 restarted crew.2",
            "11.000000 restarted crew.3",
            "11.000000 received jobs 2 crew.2 count 1 until 41.000000",
            "11.000000 received jobs 3 crew.3 count 1 until 41.000000",
            "20.000000 acked jobs 1 crew.1",
        ],
    );
}

#[test]
fn who_stops_finishes_what_it_has_in_hand() {
    let scale = json!([{ "at": "500ms", "scale": { "component": "crew", "to": 1 } }]);
    check(
        &[
            ("/components/crew/count", json!(2)),
            arrivals(&["0s", "0s", "5s", "5s"]),
            ("/faults", scale),
        ],
        &[
            "0.500000 scaled crew from 2 to 1",
            "1.000000 acked jobs 2 crew.2",
            "1.000000 stopped crew.2",
            "6.000000 acked jobs 3 crew.1",
            "7.000000 acked jobs 4 crew.1",
            "!lapsed",
        ],
    );
    let none = json!([{ "at": "500ms", "scale": { "component": "crew", "to": 2 } }]);
    check(&[("/components/crew/count", json!(2)), ("/faults", none)], &["0.500000 ignored 0"]);
}

#[test]
fn who_was_stopped_or_never_started_is_not_dead() {
    let document = with(&[
        ("/components/crew/count", json!(3)),
        ("/components/crew/running", json!(2)),
        arrivals(&["0s"]),
        (
            "/faults",
            json!([{ "at": "2s", "scale": { "component": "crew", "to": 1 } },
                   { "at": "3s", "crash": { "component": "crew", "instance": 1 } }]),
        ),
    ]);
    let mut run = finished(&document);
    let mut states = |millis: u64| -> Vec<WorkerState> {
        run.seek(SimTime::from_millis(millis));
        let crew = run.scenario().find("crew").expect("the crew is there");
        let ComponentFrame::Workers(crew) = &run.frame().components[crew.index()] else {
            panic!("they are workers")
        };
        crew.instances.iter().map(|worker| worker.state).collect()
    };
    let (idle, stopped) = (WorkerState::Idle, WorkerState::Stopped);
    assert_eq!(states(1_500), [idle, idle, stopped]);
    assert_eq!(states(2_500), [idle, stopped, stopped]);
    let later = states(3_500);
    assert!(matches!(later[0], WorkerState::Down { until: None, .. }), "{later:?}");
    assert_eq!(later[1..], [stopped, stopped]);
}

#[test]
fn a_deploy_replaces_one_process_after_another_drained_or_killed() {
    let deploy = |how: &str| {
        [
            ("/components/crew/count", json!(2)),
            ("/components/mail/latency", json!("3s")),
            arrivals(&["0s", "0s"]),
            (
                "/faults",
                json!([{ "at": "1s", "deploy": { "component": "crew", "takes": "5s", "how": how } }]),
            ),
        ]
    };
    check(
        &deploy("drained"),
        &[
            "1.000000 deploy-began crew",
            "3.000000 acked jobs 1 crew.1",
            "3.000000 stopped crew.1",
            "8.000000 restarted crew.1",
            "8.000000 stopped crew.2",
            "13.000000 restarted crew.2",
            "13.000000 deploy-ended crew",
            "!crashed",
        ],
    );
    check(
        &deploy("killed"),
        &[
            "1.000000 crashed crew.1 holding 1",
            "6.000000 restarted crew.1",
            "6.000000 crashed crew.2",
            "11.000000 deploy-ended crew",
            "30.000000 lapsed jobs 1 count 1",
        ],
    );
}

#[test]
fn a_service_is_deployed_without_a_refusal_if_it_has_two_processes() {
    let run = |count: u16, how: &str| {
        let document = with(&[
            (
                "/components/api",
                json!({ "is": "service", "count": count, "handles": { "order": [
                { "wait": { "for": "400ms" } }, { "respond": 200 } ] } }),
            ),
            (
                "/components/feed",
                json!({ "is": "source", "to": "api", "request": "order",
                "arrivals": { "every": { "interval": "100ms", "count": 100 } } }),
            ),
            (
                "/faults",
                json!([{ "at": "2s", "deploy": { "component": "api", "takes": "2s", "how": how } }]),
            ),
        ]);
        let text = trace_text(&finished(&document));
        let count = |word: &str| text.lines().filter(|line| line.contains(word)).count();
        assert_eq!(count("deploy-ended"), 1, "{text}");
        (count(" 503"), count("reset"))
    };
    assert_eq!(run(2, "drained"), (0, 0));
    let (refused, reset) = run(2, "killed");
    assert!(refused == 0 && (4..=8).contains(&reset), "{reset}: what the one had, then all");
    let (refused, _) = run(1, "drained");
    assert!((15..=25).contains(&refused), "two seconds of ten a second: {refused}");
}

#[test]
fn a_rule_on_the_backlog_starts_as_many_as_are_needed_and_stops_them_again() {
    let autoscale = json!({ "backlog": { "acceptable": 10, "utilization_percent": 80 }, "min": 1,
                            "period": "10s", "start_up": "5s", "cooldown": "0s" });
    let document = with(&[
        ("/components/crew/count", json!(8)),
        ("/components/crew/running", json!(1)),
        ("/components/crew/autoscale", autoscale),
        ("/components/feed/arrivals", json!({ "rate": { "per_second": 4, "until": "60s" } })),
        ("/until", json!("200s")),
    ]);
    check_run(
        &document,
        &[
            // Forty came, ten a second of which one worker does: five workers for the arrivals, four
            // for the backlog.
            "10.000000 scaled crew from 1 to 5",
            "15.000000 restarted crew.2",
        ],
    );
    let text = trace_text(&finished(&document));
    let last = text.lines().rfind(|line| line.contains(" scaled ")).expect("it was scaled");
    assert!(last.ends_with("to 1"), "it ends with the fewest: {last}");
    assert_eq!(text.lines().filter(|line| line.contains(" acked ")).count(), 240);
}

#[test]
fn what_is_sent_over_a_cut_link_is_lost_and_who_waits_for_it_cannot_know() {
    let cut = |from: &str, to: &str| json!([{ "at": "500ms", "cut": { "component": from, "to": to, "for": "10s" } }]);
    // The effect takes place, and its answer is lost.
    let lines = json!([{ "call": { "to": "mail", "timeout": "4s" } }, "ack"]);
    check(
        &[("/components/crew/on_message", lines), ("/faults", cut("crew", "mail"))],
        &[
            "0.500000 cut-began crew mail until 10.500000",
            "1.000000 effected mail 1 crew.1 nth 1",
            "1.000000 lost-on-the-way mail crew 1",
            "4.000000 step-ended crew.1 1 line 1 timeout",
            "4.000000 lost-on-the-way crew mail 1",
            "10.500000 cut-ended crew mail",
            "13.000000 effected mail 1 crew.1 nth 2",
            "13.000000 acked jobs 1 crew.1",
        ],
    );
    // The ack is lost; nothing is taken until the link is whole.
    check(
        &[("/faults", cut("jobs", "crew")), arrivals(&["0s", "3s"])],
        &[
            "1.000000 ack-lost jobs 1 crew.1",
            "10.500000 cut-ended jobs crew",
            "10.500000 received jobs 2 crew.1 count 1 until 40.500000",
            "30.000000 lapsed jobs 1 count 1",
            "31.000000 acked jobs 1 crew.1",
        ],
    );
    // A publish is lost, and its confirm with it.
    let api = json!({ "is": "service", "handles": { "order": [
        { "publish": { "to": "jobs", "takes": "100ms" } }, { "respond": 202 } ] } });
    let feed = json!({ "is": "source", "to": "api", "request": "order",
                       "arrivals": { "at": ["1s", "11s"] } });
    check(
        &[("/components/api", api), ("/components/feed", feed), ("/faults", cut("api", "jobs"))],
        &[
            "1.100000 lost-on-the-way api jobs 1",
            "1.100000 responded api feed 1 503",
            "11.100000 stored jobs 2 visible 11.100000",
        ],
    );
}
