//! The engine's stations agree with queueing theory, within the confidence that
//! `tests::conformance::queueing` states.

use tests::conformance::{Case, Totals, replay};

const THEORY: &str = include_str!("../vectors/queueing_theory.json");

#[test]
fn closed_forms_and_simulations_agree() {
    let cases = replay(THEORY).expect("a vector file can be read");
    let mut totals = Totals::default();
    for case in &cases {
        totals.add(&case.verdict);
    }
    let lines: Vec<String> = cases.iter().map(Case::to_string).collect();
    let expected = Totals { passed: 93, skipped: 7, ..Totals::default() };
    assert_eq!(totals, expected, "\n{}", lines.join("\n"));
}

#[test]
fn a_wrong_value_is_found_by_formula_and_by_simulation() {
    let file = r#"{ "formulas": {}, "mm1k": [
        { "lam": 1, "mu": 1, "K": 10, "P_block": 0.1 } ], "mg1": [
        { "service": "deterministic", "lam": 0.5, "ES": 1.0, "cs2": 1.0, "Wq": 1.0 } ] }"#;
    let lines: Vec<String> =
        replay(file).expect("it can be read").iter().map(Case::to_string).collect();
    // The variability is wrong in the model, the blocking probability on paper only.
    assert_eq!(lines[0], "pass     mg1 λ=0.5 service deterministic, formula");
    let wrong = "FAIL     mg1 λ=0.5 service deterministic, simulation: Wq is 0.5";
    assert!(lines[1].starts_with(wrong), "{}", lines[1]);
    let wrong = "FAIL     mm1k λ=1 μ=1 K=10, formula: /mm1k/0/P_block is 0.1, the formula 0.0909";
    assert!(lines[2].starts_with(wrong), "{}", lines[2]);
    assert_eq!(lines[3], "pass     mm1k λ=1 μ=1 K=10, simulation");
}
