//! Closed forms of queueing theory, and the fluid limit of a backlog.
//!
//! Kleinrock, *Queueing Systems*, volume 1 (1975): M/M/c is 3.5. Where arrivals outrun service for
//! long, chance hardly matters and a queue behaves like a tank: what comes in less what goes out.
//! Rates are per second, times are seconds. `None` stands for what does not exist: a mean over an
//! infinite future, a drain that never ends.

/// The chance that `servers` without a line are all busy; `offered` is arrival rate times service
/// time.
#[must_use]
pub fn erlang_b(servers: u32, offered: f64) -> f64 {
    (1..=servers).fold(1.0, |b, n| offered * b / (f64::from(n) + offered * b))
}

/// The chance that an arrival has to wait for one of `servers`. `None` if they cannot keep up.
#[must_use]
pub fn erlang_c(servers: u32, offered: f64) -> Option<f64> {
    let load = offered / f64::from(servers);
    let busy = erlang_b(servers, offered);
    (servers > 0 && load < 1.0).then(|| busy / (1.0 - load * (1.0 - busy)))
}

/// Wq of M/M/c: how long an arrival waits on average. `None` if the servers cannot keep up.
#[must_use]
pub fn mean_wait(servers: u32, arrivals: f64, service: f64) -> Option<f64> {
    let waits = erlang_c(servers, arrivals * service)?;
    Some(waits / (f64::from(servers) / service - arrivals))
}

/// How much more waits after `seconds` of arrivals at one rate and service at another.
#[must_use]
pub fn backlog(arrivals: f64, capacity: f64, seconds: f64) -> f64 {
    ((arrivals - capacity) * seconds).max(0.0)
}

/// How long a backlog takes to be worked off. `None` if arrivals are not below the capacity.
#[must_use]
pub fn drain(backlog: f64, arrivals: f64, capacity: f64) -> Option<f64> {
    if backlog <= 0.0 {
        return Some(0.0);
    }
    (arrivals < capacity).then(|| backlog / (capacity - arrivals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_keep_up_has_no_mean() {
        assert_eq!(erlang_c(0, 0.5), None);
        assert_eq!(erlang_c(2, 2.0), None);
        assert_eq!(mean_wait(1, 1.0, 1.0), None);
        assert_eq!(drain(1.0, 2.0, 2.0), None);
        assert_eq!(drain(0.0, 2.0, 2.0), Some(0.0));
    }

    #[test]
    fn one_server_waits_as_the_textbook_says() {
        // M/M/1 at a load of 0.9 and one second of service: Wq = ρ / (μ − λ) = 9 s.
        let wait = mean_wait(1, 0.9, 1.0).expect("it keeps up");
        assert!((wait - 9.0).abs() < 1e-9, "{wait}");
    }

    #[test]
    fn a_tank_fills_and_empties() {
        assert!((backlog(1_000.0, 800.0, 3_600.0) - 720_000.0).abs() < 1e-6);
        assert!(backlog(1.0, 2.0, 10.0) < 1e-9);
        assert_eq!(drain(180_000.0, 1_000.0, 2_000.0), Some(180.0));
    }
}
