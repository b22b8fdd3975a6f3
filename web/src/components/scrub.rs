//! The scrubber: the run as a line, its stops the beats of the story, its flags what broke.

use sim::SimTime;
use yew::NodeRef;

use super::Page;
use super::icon::{Sign, icon};
use super::input::range;
use crate::map::mark::path;
use crate::markup::{Mark as Markup, el};
use crate::state::{Act, Mark, MarkSort, Phase};
use crate::words::{clock, clock_coarse};

/// What the line shows.
pub struct Scrub<'a> {
    /// The run's end.
    pub end: SimTime,
    /// The playhead, when this was drawn.
    pub now: SimTime,
    /// Stops and flags in order of time.
    pub marks: Vec<Mark>,
    /// The depth over the run, as a path in a box of 1000 by 100; empty if it is not known.
    pub depth: String,
    /// What the painter moves between two events.
    pub places: &'a ScrubPlaces,
}

/// The parts of the scrubber that move with the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScrubPlaces {
    /// The whole, whose `--pos` is the playhead.
    pub whole: NodeRef,
    /// The clock on the playhead.
    pub clock: NodeRef,
    /// The range input.
    pub input: NodeRef,
}

/// The range input counts thousandths of the run.
pub const GRAIN: u32 = 1000;

impl Scrub<'_> {
    /// The run as a line.
    pub fn draw(&self, page: &Page) -> Markup {
        let end = self.end;
        let depth = || {
            el("svg", "scrub__depth")
                .set("viewBox", "0 0 1000 100")
                .set("preserveAspectRatio", "none")
                .set("aria-hidden", "true")
                .with(path("scrub__area", &self.depth))
        };
        let seek = move |grain: u32| {
            let at = scaled(grain.min(GRAIN).into(), end.as_micros(), GRAIN.into());
            Act::Seek(SimTime::from_micros(at))
        };
        let input = range(page, "scrub__input", grain(self.now, end), GRAIN, seek)
            .at(&self.places.input)
            .set("aria-label", page.text("scrub.label"))
            .set("aria-valuetext", clock(self.now));
        let ticks = ticks(end).into_iter().map(|tick| {
            let at = clock_coarse(tick.as_micros() / 1_000_000);
            el("span", "").set("data-at", percent(tick, end)).text(at)
        });
        let shade = |name, class| el(name, class).set("aria-hidden", "true");
        el("div", "scrub")
            .at(&self.places.whole)
            .with((!self.depth.is_empty()).then(depth))
            .with(shade("div", "scrub__line").with(el("i", "")))
            .with(input)
            .list(self.marks.iter().map(|mark| stop(page, mark, end)))
            .with(
                shade("span", "scrub__head")
                    .with(el("b", "").at(&self.places.clock).text(clock(self.now))),
            )
            .with(shade("div", "scrub__ticks").list(ticks))
    }
}

fn stop(page: &Page, mark: &Mark, end: SimTime) -> Markup {
    let class = match (mark.sort, mark.phase) {
        (MarkSort::Beat(_), Phase::Past) => "scrub__beat is-past",
        (MarkSort::Beat(_), Phase::Now) => "scrub__beat is-now",
        (MarkSort::Beat(_), Phase::Next) => "scrub__beat is-next",
        (MarkSort::Fault(_), _) => "scrub__mark",
        (MarkSort::Done(_), _) => "scrub__mark scrub__mark--act",
        (MarkSort::Parting, _) => "scrub__mark scrub__mark--parting",
    };
    let stop = page
        .act(class, mark.act.clone())
        .set("data-at", percent(mark.at, end))
        .named(mark.label.clone());
    match mark.sort {
        MarkSort::Beat(number) => stop.text(number.to_string()),
        MarkSort::Fault(sign) | MarkSort::Done(sign) => stop.with(icon(sign)),
        MarkSort::Parting => stop.with(icon(Sign::Fork)),
    }
}

/// Where a moment lies on the range input.
#[must_use]
pub fn grain(moment: SimTime, end: SimTime) -> u32 {
    scaled(moment.as_micros(), GRAIN.into(), end.as_micros()) as u32
}

/// How far along the run a moment is, as a CSS percentage.
#[must_use]
pub fn percent(moment: SimTime, end: SimTime) -> String {
    let hundredths = scaled(moment.as_micros(), 10_000, end.as_micros());
    let part = hundredths % 100;
    let zero = if part < 10 { "0" } else { "" };
    [(hundredths / 100).to_string().as_str(), ".", zero, &part.to_string(), "%"].concat()
}

/// `n * to / of`, and 0 where there is nothing to divide by.
fn scaled(n: u64, to: u64, of: u64) -> u64 {
    if of == 0 {
        return 0;
    }
    let whole = u128::from(n) * u128::from(to) / u128::from(of);
    u64::try_from(whole).unwrap_or(u64::MAX)
}

/// Round moments to write under a line: at most nine.
pub fn ticks(end: SimTime) -> Vec<SimTime> {
    const STEPS: [u64; 16] =
        [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];
    let whole = end.as_micros() / 1_000_000;
    let step = STEPS.into_iter().find(|step| whole / step <= 8).unwrap_or(7 * 86_400);
    (0..=whole / step).map(|i| SimTime::from_secs(i * step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_the_line_are_percentages() {
        let check = |moment: u64, end: u64, want: &str| {
            let place = percent(SimTime::from_micros(moment), SimTime::from_micros(end));
            assert_eq!(place, want);
        };
        check(0, 70_000_000, "0.00%");
        check(34_200_000, 70_000_000, "48.85%");
        check(70_000_000, 70_000_000, "100.00%");
        check(1, 0, "0.00%");
        check(u64::MAX, u64::MAX, "100.00%");
    }

    #[test]
    fn ticks_are_round_and_few() {
        let check = |end: u64, first: u64, count: usize| {
            let ticks = ticks(SimTime::from_secs(end));
            assert_eq!((ticks[1].as_micros() / 1_000_000, ticks.len()), (first, count), "{end}");
        };
        check(70, 10, 8);
        check(8, 1, 9);
        check(600, 120, 6);
        check(86_400, 21_600, 5);
    }
}
