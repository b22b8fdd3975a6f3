//! Rows for links: what is written, what comes back, and what is said about broken ones.

use proptest::prelude::*;

use super::*;
use crate::wire::parse_duration;

fn place(text: &str) -> Pointer {
    Pointer::parse(text).unwrap()
}

fn time(text: &str) -> SimTime {
    SimTime::from_micros(parse_duration(text).unwrap().as_micros())
}

fn crash() -> Value {
    Value::record([
        ("at", Value::text("18.4s")),
        (
            "crash",
            Value::record([
                ("component", Value::text("mailers")),
                ("instance", Value::Number(1.0)),
            ]),
        ),
    ])
}

/// The state of a lesson: ack before the mail, a worker killed, looking at 34.2 s.
fn lesson() -> RunState {
    let step = |name: &str, fields: &[(&str, &str)]| {
        let fields = fields.iter().map(|(key, text)| (*key, Value::text(*text)));
        Value::record([(name, Value::record(fields))])
    };
    let order = Value::list([
        step("wait", &[("label", "match alerts"), ("for", "600ms")]),
        step("ack", &[("takes", "200ms")]),
        step("call", &[("label", "send mail"), ("to", "mail")]),
    ]);
    RunState {
        seed: Some("7".into()),
        changes: vec![
            (place("/components/alerts/visibility_timeout"), Value::text("10s")),
            (place("/components/mailers/on_message"), order),
        ],
        interventions: vec![crash()],
        at: Some(time("34.2s")),
        follow: Some(5),
    }
}

#[test]
fn a_state_is_written_in_words_that_a_person_can_read() {
    let check = |state: RunState, body: &str| {
        let text = state.encode().expect(body);
        assert_eq!(text.splitn(4, '.').nth(3), Some(body));
        assert_eq!(RunState::decode(&text), Ok(state), "{text}");
    };
    let default = RunState::default;
    check(default(), "");
    check(RunState { seed: Some("007".into()), ..default() }, "s:007");
    check(RunState { at: Some(time("34.2s")), follow: Some(5), ..default() }, "t:34.2s;f:5");
    check(
        RunState { interventions: vec![crash()], ..default() },
        "i:crash@18.4s(component:mailers,instance:1)",
    );
    let change = |value| RunState { changes: vec![(place("/a/b c"), value)], ..default() };
    check(change(Value::text("10s")), "c:/a/b+c:10s");
    check(change(Value::Number(-2.5)), "c:/a/b+c:-2.5");
    check(change(Value::Number(1e21)), "c:/a/b+c:0x444b1ae4d6e2ef50");
    check(change(Value::text("12")), "c:/a/b+c:*12");
    check(change(Value::text("")), "c:/a/b+c:*");
    check(change(Value::text("née, (x)")), "c:/a/b+c:n~e9~e~2c~+~28~x~29~");
    check(change(Value::list([Value::Null, Value::Bool(true)])), "c:/a/b+c:!(!n,!t)");
    check(change(Value::Record(vec![])), "c:/a/b+c:()");
    let odd = Value::record([("at", Value::text("18400ms")), ("crash", Value::Record(vec![]))]);
    check(RunState { interventions: vec![odd], ..default() }, "i:(at:18400ms,crash:())");
}

#[test]
fn links_of_version_1_are_read_for_ever() {
    let check = |text: &str, state: &RunState| {
        assert_eq!(state.encode().as_deref(), Ok(text));
        assert_eq!(RunState::decode(text).as_ref(), Ok(state));
    };
    check("1.0.vf6f.", &RunState::default());
    check(
        concat!(
            "1.230.xd7r.s:7;",
            "c:/components/alerts/visibility_timeout:10s;",
            "c:/components/mailers/on_message:!((wait:(label:match+alerts,for:600ms)),(ack:(takes:200ms)),(call:(label:send+mail,to:mail)));",
            "i:crash@18.4s(component:mailers,instance:1);",
            "t:34.2s;",
            "f:5"
        ),
        &lesson(),
    );
}

#[test]
fn a_lesson_fits_into_a_short_link_of_query_characters() {
    let text = lesson().encode().unwrap();
    assert!(text.len() < 300, "{} characters: {text}", text.len());
    // RFC 3986, section 3.4, without `&` and `=`, which part the keys of a query.
    let in_query = |c: char| c.is_ascii_alphanumeric() || "-._~!$'()*+,;:@/?".contains(c);
    assert!(text.chars().all(in_query), "{text}");
    assert_eq!(RunState::decode(&text), Ok(lesson()));
}

#[test]
fn a_link_survives_what_carriers_do_to_it() {
    let text = lesson().encode().unwrap();
    let encode_all = |text: &str| {
        let one = |c: char| {
            if c.is_ascii_alphanumeric() { c.to_string() } else { format!("%{:02X}", c as u32) }
        };
        text.chars().map(one).collect::<String>()
    };
    let check = |carried: String| assert_eq!(RunState::decode(&carried), Ok(lesson()), "{carried}");
    check(text.replace('+', " "));
    check(encode_all(&text));
    check(format!("{text}."));
    check(format!(" {text}\n"));
    check(format!("{text})"));
}

#[test]
fn a_broken_link_says_what_became_of_it() {
    let whole = lesson().encode().unwrap();
    let check = |text: &str, problem: &str| {
        let all = RunState::decode(text).expect_err(text);
        assert!(all.iter().all(|one| one.path == KEY && !one.repair.is_empty()), "{all:?}");
        assert!(all[0].problem.contains(problem), "{text}: {}", all[0]);
    };
    check(&whole[..120], &format!("cut short: 120 of {} characters", whole.len()));
    check("1", "cut short");
    check("1.", "cut short");
    check("", "holds no run");
    check(&whole.replace("18.4", "18.5"), "altered");
    check(&whole.to_uppercase(), "altered");
    check("1.x.abcd.", "altered");
    check("1.99999999999999999999.abcd.", "altered");
    check("2.0.abcd.", "version 2");
    check("hello", "not the beginning of a run");
    check("42,1", "not the beginning of a run");
    check(&"x".repeat(limits::LINK.max + 1), "8,000 characters in a link");
}

#[test]
fn every_shorter_piece_of_a_link_is_refused() {
    let whole = lesson().encode().unwrap();
    for length in 0..whole.len() {
        let all = RunState::decode(&whole[..length]).expect_err("a piece is not the whole");
        let said = &all[0].problem;
        assert!(said.contains("cut short") || said.contains("no run"), "{length}: {said}");
    }
}

#[test]
fn a_sound_envelope_around_nonsense_is_explained_part_by_part() {
    let check = |body: &str, problems: &[&str]| {
        let all = RunState::decode(&seal(body)).expect_err(body);
        let said: Vec<_> = all.iter().map(|one| one.problem.as_str()).collect();
        assert_eq!(said.len(), problems.len(), "{said:?}");
        assert!(said.iter().zip(problems).all(|(said, part)| said.contains(part)), "{said:?}");
    };
    check("q:1", &["not known"]);
    check("nothing", &["nothing says what it is"]);
    check("t:5;f:0;f:x", &["no unit", "no number", "no number"]);
    check("t:400d", &["30 days"]);
    check("c:components:1", &["not a JSON pointer"]);
    check("c:/a", &["“:” is missing"]);
    check("c:/a:", &["a value is missing"]);
    check("c:/a:(b", &["“:” is missing"]);
    check("c:/a:!(1,", &["a value is missing"]);
    check("c:/a:!(1", &["“,” is missing"]);
    check("c:/a:1)", &["too much"]);
    check("c:/a:~zz~", &["no character"]);
    check("c:/a:~e9", &["“~” is missing"]);
    check("c:/a:~d800~", &["no character"]);
    check(&format!("c:/a:{}", "!(".repeat(500)), &["32 levels"]);
    check(&"c:/a:1;".repeat(limits::CHANGES.max + 1), &["40 changes"]);
}

#[test]
fn a_state_too_large_for_a_link_is_refused_when_it_is_made() {
    let check = |state: RunState, bound: &str| {
        let refusal = state.encode().expect_err(bound);
        assert!(refusal.problem.contains(bound), "{refusal}");
    };
    let many = vec![crash(); limits::INTERVENTIONS.max + 1];
    check(RunState { interventions: many, ..RunState::default() }, "200 interventions");
    let long = vec![(place("/a"), Value::text("x".repeat(9_000)))];
    check(RunState { changes: long, ..RunState::default() }, "8,000 characters");
}

#[test]
fn applying_a_state_changes_the_document_or_says_where_it_cannot() {
    let document = Value::record([
        ("seed", Value::text("1")),
        ("components", Value::record([("q", Value::record([("delay", Value::text("1s"))]))])),
        ("interventions", Value::list([crash()])),
    ]);
    let state = RunState {
        seed: Some("9".into()),
        changes: vec![(place("/components/q/delay"), Value::text("2s"))],
        interventions: vec![crash()],
        ..RunState::default()
    };
    let changed = state.apply(&document).unwrap();
    assert_eq!(changed.at(&place("/seed")), Some(&Value::text("9")));
    assert_eq!(changed.at(&place("/components/q/delay")), Some(&Value::text("2s")));
    assert_eq!(changed.get("interventions"), Some(&Value::list([crash(), crash()])));
    assert_eq!(RunState::default().apply(&document), Ok(document.clone()));

    let lost = vec![(place("/components/gone/delay"), Value::Null)];
    let refusal = RunState { changes: lost, ..RunState::default() }.apply(&document).unwrap_err();
    assert_eq!(refusal[0].path, KEY);
    assert!(refusal[0].problem.contains("/components/gone"), "{}", refusal[0]);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(Value::Number),
        (-1000..1000_i32).prop_map(|n| Value::Number(f64::from(n))),
        any::<String>().prop_map(Value::Text),
        "[-+0-9.einfa]{0,6}".prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((any::<String>(), inner), 0..4).prop_map(Value::Record),
        ]
    })
}

prop_compose! {
    fn any_state()(
        seed in prop::option::of("[0-9]{1,20}|.{1,8}"),
        changes in prop::collection::vec((prop::collection::vec(".{0,6}", 0..4), any_value()), 0..3),
        mut interventions in prop::collection::vec(any_value(), 0..2),
        crashed in any::<bool>(),
        at in prop::option::of(0..2_592_000_000_000_u64),
        follow in prop::option::of(1..=u32::MAX),
    ) -> RunState {
        if crashed {
            interventions.push(crash());
        }
        let changes = changes.into_iter().map(|(tokens, value)| {
            let mut place = Pointer::root();
            tokens.into_iter().for_each(|token| place.push(token));
            (place, value)
        }).collect();
        RunState { seed, changes, interventions, at: at.map(SimTime::from_micros), follow }
    }
}

proptest! {
    #[test]
    fn what_is_written_comes_back(state in any_state()) {
        if let Ok(text) = state.encode() {
            prop_assert_eq!(RunState::decode(&text), Ok(state));
        }
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_repair(body in "[a-z:;@!(),*~+/0-9.]{0,60}|.{0,30}") {
        for text in [seal(&body), body] {
            if let Err(all) = RunState::decode(&text) {
                prop_assert!(!all.is_empty());
                prop_assert!(all.iter().all(|one| one.path == KEY && !one.repair.is_empty()));
            }
        }
    }
}
