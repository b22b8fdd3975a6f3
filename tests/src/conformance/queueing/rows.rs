//! The rows of a file, each checked by formula and by simulation.

use sim::models::theory::erlang_c;

use super::formulas::{self, Predicted};
use super::simulation::{Service, Setup};
use crate::conformance::json::Node;
use crate::conformance::{Case, Problem, Verdict};

/// The lists that hold stations.
pub(super) const GROUPS: [&str; 4] = ["mm1", "mmc", "mg1", "mm1k"];

/// Digits to which a value must agree with its formula.
const RELATIVE: f64 = 1e-9;

/// The cases of one member of the file.
pub(super) fn cases(key: &str, node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    match key {
        "formulas" => Ok(Vec::new()),
        "square_root_staffing" => Ok(vec![staffing(node)]),
        "mm1" | "mmc" | "mg1" | "mm1k" | "fluid" => {
            let rows = node.items()?;
            let cases: Result<Vec<_>, _> = rows.iter().map(|row| row_cases(key, row)).collect();
            Ok(cases?.concat())
        }
        other => {
            let why = "a remark in words; its figures stand in the other rows".to_owned();
            Ok(vec![Case { name: other.to_owned(), verdict: Verdict::NotRun(why) }])
        }
    }
}

/// A row, read: what the theory makes of it, and the station to simulate.
struct Row {
    label: String,
    predicted: Predicted,
    simulated: Simulated,
}

enum Simulated {
    Station(Setup),
    Not(String),
}

fn row_cases(key: &str, node: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let row = row(key, node)?;
    let by_formula = by_formula(node, &row.predicted)?;
    let by_simulation = match &row.simulated {
        Simulated::Station(setup) => setup.check(&row.predicted),
        Simulated::Not(why) => Verdict::NotRun(why.clone()),
    };
    let case = |how: &str, verdict| Case { name: format!("{}, {how}", row.label), verdict };
    Ok(vec![case("formula", by_formula), case("simulation", by_simulation)])
}

fn row(key: &str, node: &Node<'_>) -> Result<Row, Problem> {
    let number = |name: &str| node.need(name, "write a number")?.number();
    let lam = number("lam")?;
    let row = |parameters: String, predicted, simulated| Row {
        label: format!("{key} λ={lam} {parameters}"),
        predicted,
        simulated,
    };
    Ok(match key {
        "mm1" => {
            let mu = number("mu")?;
            let setup = Setup::new(lam, 1, Service::Exponential { mean: 1.0 / mu });
            row(format!("μ={mu}"), formulas::mm1(lam, mu), setup.unless_too_long())
        }
        "mmc" => {
            let (c, mu) = (node.need("c", "write the number of servers")?.whole()?, number("mu")?);
            let setup = Setup::new(lam, c, Service::Exponential { mean: 1.0 / mu });
            row(format!("μ={mu} c={c}"), formulas::mmc(c, lam, mu), setup.unless_too_long())
        }
        "mm1k" => {
            let (k, mu) = (node.need("K", "write how many fit")?.whole()?, number("mu")?);
            let setup = Setup::new(lam, 1, Service::Exponential { mean: 1.0 / mu }).with_room(k);
            row(format!("μ={mu} K={k}"), formulas::mm1k(lam, mu, k), Simulated::Station(setup))
        }
        "mg1" => {
            let (mean, cs2) = (number("ES")?, number("cs2")?);
            let kind = node.need("service", "name the distribution")?.text()?;
            let simulated = match Service::named(kind, mean) {
                Some(service) => Setup::new(lam, 1, service).unless_too_long(),
                None => Simulated::Not(format!("no model of the service time {kind:?}")),
            };
            row(format!("service {kind}"), formulas::mg1(lam, mean, cs2), simulated)
        }
        _ => {
            let (capacity, outage) = (number("capacity")?, number("outage_s")?);
            let why = "a fluid limit: no single run is meant".to_owned();
            let predicted = formulas::fluid(lam, capacity, outage);
            row(format!("capacity={capacity} outage={outage} s"), predicted, Simulated::Not(why))
        }
    })
}

impl Setup {
    fn unless_too_long(self) -> Simulated {
        match self.too_long() {
            Some(why) => Simulated::Not(why),
            None => Simulated::Station(self),
        }
    }
}

/// Holds every value of the row that the theory predicts to its formula.
fn by_formula(node: &Node<'_>, predicted: &Predicted) -> Result<Verdict, Problem> {
    for (name, value) in predicted {
        let Some(given) = node.get(name) else { continue };
        let given = given.number()?;
        // Not the other way round: what has no value is no agreement.
        let agrees = (given - value).abs() <= RELATIVE * value.abs().max(1e-9);
        if !agrees {
            let place = node.pointer();
            return Ok(Verdict::Fail(format!("{place}/{name} is {given}, the formula {value}")));
        }
    }
    Ok(Verdict::Pass)
}

/// Erlang C for an offered load of 100 and the servers that the key names.
fn staffing(node: &Node<'_>) -> Case {
    let check = || -> Result<Verdict, Problem> {
        for (key, value) in node.members()? {
            let Some(servers) = key.strip_prefix("erlang_C_") else { continue };
            let servers = servers.parse().map_err(|_| {
                value.problem("no number of servers in the key", "write erlang_C_110")
            })?;
            let (given, formula) = (value.number()?, erlang_c(servers, 100.0).unwrap_or(f64::NAN));
            let agrees = (given - formula).abs() <= RELATIVE * formula;
            if !agrees {
                return Ok(Verdict::Fail(format!("{key} is {given}, the formula {formula}")));
            }
        }
        Ok(Verdict::Pass)
    };
    let verdict = check().unwrap_or_else(Verdict::Unreadable);
    Case { name: "square_root_staffing, formula".to_owned(), verdict }
}
