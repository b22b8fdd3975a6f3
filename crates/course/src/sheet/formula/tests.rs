//! Formulas read and worked out, and everything that can be wrong with them.

use super::*;

const NAMES: [&str; 3] = ["rate", "workers", "zero"];

fn values() -> Vec<Result<f64, Undefined>> {
    vec![Ok(30.0), Ok(4.0), Ok(0.0)]
}

fn work(text: &str) -> Result<f64, Undefined> {
    let formula = Formula::parse(text, &NAMES).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
    formula.work(&values(), &mut Ledger::default())
}

#[track_caller]
fn check(text: &str, want: f64) {
    let found = work(text).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    assert!((found - want).abs() <= want.abs() * 1e-9, "{text} is {found}, not {want}");
}

#[test]
fn arithmetic_is_as_in_school() {
    check("1 + 2 * 3", 7.0);
    check("(1 + 2) * 3", 9.0);
    check("10 - 4 - 3", 3.0);
    check("24 / 4 / 3", 2.0);
    check("2 ^ 3 ^ 2", 512.0);
    check("-2 ^ 2", -4.0);
    check("2 ^ -1", 0.5);
    check("2 * -3", -6.0);
    check("rate / workers", 7.5);
    check("0.25 * rate", 7.5);
}

#[test]
fn comparisons_are_one_or_zero_and_only_one_branch_is_worked_out() {
    for (text, want) in [("1 < 2", 1.0), ("2 < 1", 0.0), ("2 <= 2", 1.0), ("2 >= 3", 0.0)] {
        check(text, want);
    }
    check("1 + 1 = 2", 1.0);
    check("1 != 2", 1.0);
    check("if(zero = 0, 7, 1 / zero)", 7.0);
    check("if(zero > 0, 1 / zero, 8)", 8.0);
}

#[test]
fn the_usual_functions() {
    check("min(3, 1, 2)", 1.0);
    check("max(3, 1, 2)", 3.0);
    check("ceil(2.1)", 3.0);
    check("ceil(0.1 * 30)", 3.0);
    check("floor(2.9)", 2.0);
    check("floor((0.1 + 0.7) * 10)", 8.0);
    check("round(2.5)", 3.0);
    check("abs(-4)", 4.0);
    check("sqrt(9)", 3.0);
    check("sum(n, 1, workers, n ^ 2)", 30.0);
    check("sum(n, 1, 3, sum(k, 1, n, k))", 10.0);
    check("sum(n, 2, 1, n)", 0.0);
}

#[test]
fn the_engines_formulas_are_called_by_name() {
    check("gap(4, 1, 2, 0)", 8.0);
    check("gap(4, 1, 2, 5)", 5.0);
    check("gap(13, 1, 2, 0)", 4_096.0);
    check("reach_most(5, 1, 2, 0, 2)", 15.0);
    check("reach_mean(5, 1, 2, 0, 2)", 7.5);
    check("reach_least(5, 1, 2, 0, 1)", 7.5);
    check("reach_most(6, 1, 2, 8, 0)", 23.0);
    check("outlasts(5, 2, 10, 1, 0, 2)", 0.5);
    check("mean_wait(1, 0.9, 1)", 9.0);
    check("waits(1, 0.9, 1)", 0.9);
    check("backlog(1000, 800, 3600)", 720_000.0);
    check("drain(180000, 1000, 2000)", 180.0);
    check("moved(4, 8)", 0.5);
}

#[test]
fn what_has_no_number_says_why() {
    let check = |text: &str, want: Undefined| assert_eq!(work(text), Err(want), "{text}");
    check("1 / zero", Undefined::DividesByZero);
    check("zero ^ -1", Undefined::DividesByZero);
    check("(-2) ^ 0.5", Undefined::NotReal);
    check("10 ^ 300 * 10 ^ 300", Undefined::TooLarge);
    check("sqrt(-1)", Undefined::Outside("sqrt"));
    check("mean_wait(1, 2, 1)", Undefined::Outside("mean_wait"));
    check("mean_wait(1.5, 1, 1)", Undefined::Outside("mean_wait"));
    check("drain(5, 2, 2)", Undefined::Outside("drain"));
    check("gap(1, 1, 0.5, 0)", Undefined::Outside("gap"));
    check("gap(0, 1, 2, 0)", Undefined::Outside("gap"));
    check("outlasts(5, 40, 1, 2, 0, 2)", Undefined::Outside("outlasts"));
    check("sum(n, 1, 5000, n)", Undefined::TooMuch);
    check("sum(n, 1, 900, sum(k, 1, 900, sum(j, 1, 900, j)))", Undefined::TooMuch);
    check("sum(n, 10 ^ 17, 10 ^ 17 + 4, 1)", Undefined::TooMuch);
    check("sum(n, 1, 900, mean_wait(50000, 1, 1))", Undefined::TooMuch);
}

#[test]
fn what_depends_on_what_has_no_number_has_none_for_the_same_reason() {
    let said = Undefined::Said("it never drains".to_owned());
    let formula = Formula::parse("a + 1", &["a"]).expect("a formula");
    let worked = formula.work(&[Err(said.clone())], &mut Ledger::default());
    assert_eq!(worked, Err(said));
}

#[test]
fn every_mistake_is_told_with_its_column_and_a_repair() {
    let check = |text: &str, column: usize, problem: &str, repair: &str| {
        let fault = Formula::parse(text, &NAMES).expect_err(text);
        let found = (fault.column, fault.problem.as_str(), fault.repair.as_str());
        assert_eq!(found, (column, problem, repair), "{text}");
    };
    check("2 * rat", 5, "nothing before this is called “rat”", "did you mean “rate”?");
    check(
        "quux",
        1,
        "nothing before this is called “quux”",
        "name an input, or a value that stands before this one",
    );
    check("cel(2)", 1, "there is no function “cel”", "did you mean “ceil”?");
    check("ceil(1, 2)", 1, "“ceil” does not take 2 numbers", "write ceil(a)");
    check("min(1)", 1, "“min” does not take 1 numbers", "write min(a, b, …)");
    check("gap(1, 2)", 1, "“gap” does not take 2 numbers", "write gap(n, base, factor, cap)");
    check("1 +", 4, "the formula ends too early", "write a number or a name");
    check("", 1, "the formula ends too early", "write a number or a name");
    check("* 2", 1, "a number or a name is missing before this", "write one here");
    check("(1 + 2", 7, "the parenthesis of column 1 is not closed", "write ) here");
    check("1 2", 3, "nothing may follow here", "write an operator between");
    check("1 < 2 < 3", 7, "two comparisons in a row", "compare two by two: if(a < b, b < c, 0)");
    check("if(1, 2)", 8, "a comma is missing here", "write if(condition, then, else)");
    check(
        "sum(1, 2, 3, 4)",
        5,
        "a sum begins with the name of its number",
        "write sum(n, from, to, term)",
    );
    check("3 % 2", 3, "“%” means nothing in a formula", "use + - * / ^ ( ) , < <= > >= = and !=");
    check(
        "1.2.3",
        1,
        "“1.2.3” is not a number",
        "write digits, and a fraction after a point, like 0.75",
    );
    check("ä", 1, "“ä” means nothing in a formula", "use + - * / ^ ( ) , < <= > >= = and !=");
}

#[test]
fn bounds_are_named() {
    let deep = ["(".repeat(40), "1".to_owned(), ")".repeat(40)].concat();
    let fault = Formula::parse(&deep, &NAMES).expect_err("too deep");
    assert_eq!(
        fault.problem,
        "this is nested too deep; the bound is at most 30 levels of a formula"
    );
    let fault = Formula::parse(&"-".repeat(60), &NAMES).expect_err("too deep");
    assert!(fault.problem.contains("levels of a formula"), "{fault:?}");
    let long = vec!["1"; 300].join(" + ");
    let fault = Formula::parse(&long, &NAMES).expect_err("too long");
    assert!(fault.problem.contains("at most 400 characters of a formula"), "{fault:?}");
}

#[test]
fn a_running_number_is_known_in_its_own_sum_only() {
    assert!(Formula::parse("sum(n, 1, 2, n) + n", &NAMES).is_err());
    check("sum(rate, 1, 2, rate) + rate", 33.0);
}
