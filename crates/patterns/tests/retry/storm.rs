//! A crowd that fails together and retries: the course's retry storm, on the saturation model.
//!
//! 300 clients fail in the first 0.2 s (135 and 165 in the two slices of 100 ms); the server answers
//! nothing before 10 s, then 20 in a slice, fewer when it is asked for more. A failure is known at
//! once.

use patterns::overload::Saturation;
use patterns::retry::{Backoff, Delays, Growth, Jitter};
use sim::{SimDuration, SimTime, Stream};

const SLICE: SimDuration = SimDuration::from_millis(100);

struct Storm {
    first: [usize; 2],
    recovers: SimTime,
    server: Saturation,
}

const COURSE: Storm = Storm {
    first: [135, 165],
    recovers: SimTime::from_secs(10),
    server: Saturation { capacity: 20, waste_percent: 100, floor_percent: 25 },
};

#[derive(Debug, Default)]
struct Report {
    /// Requests by slice.
    requests: Vec<u32>,
    /// Clients served by slice.
    served: Vec<u32>,
}

impl Storm {
    fn run(&self, backoff: Option<Backoff>, seed: u64) -> Report {
        let mut report = Report::default();
        let mut coming: Vec<(SimTime, usize)> = Vec::new();
        let mut clients: Vec<(Option<Delays>, Stream)> = Vec::new();
        for (slice, count) in self.first.iter().enumerate() {
            for _ in 0..*count {
                let client = clients.len();
                let mut stream = Stream::new(seed, "client", client as u64);
                let within = (stream.unit() * 1e5) as u64;
                coming.push((SimTime::from_micros(slice as u64 * 100_000 + within), client));
                clients.push((backoff.map(Backoff::delays), stream));
            }
        }
        let mut draw = Stream::new(seed, "server", 0);
        let mut end = SimTime::ZERO;
        while !coming.is_empty() && report.requests.len() < 10_000 {
            let start = end;
            end = start + SLICE;
            let (mut now, later) = coming.into_iter().partition::<Vec<_>, _>(|(at, _)| *at < end);
            coming = later;
            let offered = now.len() as u32;
            let served = if start >= self.recovers { self.server.served(offered) } else { 0 };
            for _ in 0..served {
                let lucky = draw.below(now.len() as u64) as usize;
                now.swap_remove(lucky);
            }
            for (at, client) in now {
                let (delays, stream) = &mut clients[client];
                if let Some(delays) = delays {
                    coming.push((at + delays.next(stream), client));
                }
            }
            report.requests.push(offered);
            report.served.push(served);
        }
        report
    }
}

impl Report {
    fn requests_by(&self, secs: usize) -> u32 {
        self.requests.iter().take(secs * 10).sum()
    }

    fn served_by(&self, secs: usize) -> u32 {
        self.served.iter().take(secs * 10).sum()
    }

    /// The end of the last slice in which someone was served, in tenths of a second.
    fn done(&self) -> usize {
        self.served.iter().rposition(|served| *served > 0).map_or(0, |slice| slice + 1)
    }

    /// The slices with requests, in tenths of a second.
    fn waves(&self, until: usize) -> Vec<(usize, u32)> {
        let slices = self.requests.iter().copied().enumerate().take(until);
        slices.filter(|(_, requests)| *requests > 0).collect()
    }
}

fn doubling(jitter: Jitter) -> Backoff {
    Backoff::doubling(SimDuration::from_secs(1), SimDuration::from_secs(8), jitter)
}

#[test]
fn exponential_waits_keep_the_crowd_in_step() {
    let report = COURSE.run(Some(doubling(Jitter::None)), 1);
    let waves = [0, 10, 30, 70, 150].map(|at| [(at, 135), (at + 1, 165)]).concat();
    let waves: Vec<_> = waves.into_iter().chain([(230, 130), (231, 160)]).collect();
    assert_eq!(report.waves(300), waves);
    assert_eq!(report.served_by(16), 10);
    assert_eq!(300 - report.served_by(30), 280);
    assert_eq!(report.requests_by(30), 1_790);
    assert_eq!(report.done(), 2_392);
}

#[test]
fn full_jitter_spreads_it_and_all_are_served() {
    let mut in_range = 0;
    for seed in 0..100 {
        let report = COURSE.run(Some(doubling(Jitter::Full)), seed);
        assert_eq!(report.served.iter().sum::<u32>(), 300);
        assert!((171..=180).contains(&report.done()), "seed {seed}: done at {}", report.done());
        let peak = report.requests[100..].iter().max().copied().unwrap_or_default();
        assert!((8..=23).contains(&peak), "seed {seed}: a peak of {peak}");
        let requests: u32 = report.requests.iter().sum();
        in_range += u32::from((1_846..=1_898).contains(&requests));
        // Nobody is refused once it is back: every request after 10 s is served.
        assert_eq!(report.requests[100..].iter().sum::<u32>(), 300, "seed {seed}");
    }
    // The course's range is that of nine seeds in ten.
    assert!((80..=98).contains(&in_range), "{in_range} of 100 within the course's range");
}

#[test]
fn no_and_fixed_waits_as_the_course_works_them_out() {
    let none = COURSE.run(None, 1);
    assert_eq!((none.requests_by(30), none.served_by(30)), (300, 0));

    let fixed = |millis| Backoff {
        growth: Growth::Fixed { delay: SimDuration::from_millis(millis) },
        ..Backoff::NONE
    };
    let second = COURSE.run(Some(fixed(1_000)), 1);
    assert_eq!((second.requests_by(30), second.served_by(30)), (7_100, 200));
    assert_eq!(second.done(), 382);

    // The course has all of them fail in the first slice here.
    let immediate = Storm { first: [300, 0], ..COURSE }.run(Some(fixed(100)), 1);
    assert_eq!(immediate.requests.iter().sum::<u32>(), 39_095);
    assert_eq!(immediate.done(), 156);
}

#[test]
fn equal_jitter_lies_between() {
    let runs: Vec<_> =
        (0..40).map(|seed| COURSE.run(Some(doubling(Jitter::Equal)), seed)).collect();
    let mean = |of: fn(&Report) -> usize| runs.iter().map(of).sum::<usize>() / runs.len();
    let requests = mean(|report| report.requests.iter().sum::<u32>() as usize);
    assert!((1_500..=1_600).contains(&requests), "{requests} requests");
    let done = mean(Report::done);
    assert!((172..=182).contains(&done), "done at {done}");
}

/// F-CREW-1: 200 workers fail together for 90 s, and the server comes back at 40 %.
#[test]
fn a_crew_in_step_against_a_server_at_40_percent() {
    let crew = Storm { first: [90, 110], recovers: SimTime::from_secs(90), ..COURSE };
    let report = crew.run(Some(doubling(Jitter::None)), 1);
    assert_eq!(report.done(), 2_312);
    assert_eq!(report.requests.iter().sum::<u32>(), 4_810);
    for seed in 0..20 {
        let report = crew.run(Some(doubling(Jitter::Full)), seed);
        assert!(report.done() < 981, "seed {seed}: done at {}", report.done());
    }
}

/// F-CREW-2: a thousand in step come back as a thousand, however often they have doubled their waits.
#[test]
fn a_crew_of_a_thousand_in_step_stays_in_step() {
    let crew = Storm { first: [450, 550], recovers: SimTime::from_secs(90), ..COURSE };
    let after = |report: &Report| report.requests[900..].iter().max().copied().unwrap_or_default();
    let in_step = crew.run(Some(doubling(Jitter::None)), 1);
    assert_eq!(after(&in_step), 550);
    for seed in 0..20 {
        let spread = crew.run(Some(doubling(Jitter::Full)), seed);
        assert!(after(&spread) < 60, "seed {seed}: {}", after(&spread));
        assert!(spread.done() * 5 < in_step.done(), "seed {seed}: {}", spread.done());
    }
}

/// F-STORM-9: the fan of the first second, and how it thins out while nobody is served.
#[test]
fn full_jitter_fans_the_crowd_out_and_thins() {
    for seed in 0..20 {
        let report = COURSE.run(Some(doubling(Jitter::Full)), seed);
        let first = &report.requests[..10];
        assert!(first[0] >= 135 && first[1] >= 165, "seed {seed}: {first:?}");
        assert!(first[2..].iter().all(|requests| (15..=75).contains(requests)), "{first:?}");
        let later = &report.requests[40..100];
        let mean = f64::from(later.iter().sum::<u32>()) / 60.0;
        assert!(mean < 15.0, "seed {seed}: {mean} in each tenth of a second");
    }
}
