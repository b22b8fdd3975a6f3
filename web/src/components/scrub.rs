//! The scrubber: the run as a line, its stops the beats of the story, its flags what broke.

use sim::SimTime;
use yew::prelude::*;

use super::icon::icon;
use crate::state::{Act, Mark, MarkSort, Phase};
use crate::words::{Words, clock, clock_coarse};

/// What the line shows.
pub struct Scrub {
    /// The catalogue.
    pub words: Words,
    /// The run's end.
    pub end: SimTime,
    /// The playhead, when this was drawn.
    pub now: SimTime,
    /// Stops and flags in order of time.
    pub marks: Vec<Mark>,
    /// The depth over the run, as a path in a box of 1000 by 100; empty if it is not known.
    pub depth: String,
    /// What the painter moves between two events.
    pub places: ScrubPlaces,
    /// Where acts go.
    pub on: Callback<Act>,
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
pub const GRAIN: u64 = 1000;

impl Scrub {
    /// The run as a line.
    pub fn draw(&self) -> Html {
        let words = &self.words;
        let end = self.end;
        let oninput = self.on.reform(move |event: InputEvent| {
            let input: web_sys::HtmlInputElement = event.target_unchecked_into();
            let grain = input.value().parse::<u64>().unwrap_or(0).min(GRAIN);
            Act::Seek(SimTime::from_micros(scaled(grain, end.as_micros(), GRAIN)))
        });
        let value = scaled(self.now.as_micros(), GRAIN, end.as_micros());
        html! {
            <div class="scrub" ref={self.places.whole.clone()}>
                if !self.depth.is_empty() {
                    <svg
                        class="scrub__depth"
                        viewBox="0 0 1000 100"
                        preserveAspectRatio="none"
                        aria-hidden="true"
                    >
                        <path class="scrub__area" d={self.depth.clone()} />
                    </svg>
                }
                <div class="scrub__line" aria-hidden="true"><i></i></div>
                <input
                    class="scrub__input"
                    type="range"
                    min="0"
                    max={GRAIN.to_string()}
                    value={value.to_string()}
                    ref={self.places.input.clone()}
                    aria-label={words.text("scrub.label")}
                    aria-valuetext={clock(self.now)}
                    oninput={oninput}
                />
                { for self.marks.iter().map(|mark| stop(self, mark)) }
                <span class="scrub__head" aria-hidden="true">
                    <b ref={self.places.clock.clone()}>{ clock(self.now) }</b>
                </span>
                <div class="scrub__ticks" aria-hidden="true">
                    { for ticks(end).into_iter().map(|tick| html! {
                        <span data-at={percent(tick, end)}>
                            { clock_coarse(tick.as_micros() / 1_000_000) }
                        </span>
                    }) }
                </div>
            </div>
        }
    }
}

fn stop(props: &Scrub, mark: &Mark) -> Html {
    let act = mark.act.clone();
    let onclick = props.on.reform(move |_: MouseEvent| act.clone());
    let (class, inner) = match mark.sort {
        MarkSort::Beat(number) => {
            let phase = match mark.phase {
                Phase::Past => "is-past",
                Phase::Now => "is-now",
                Phase::Next => "is-next",
            };
            (classes!("scrub__beat", phase), html! { { number } })
        }
        MarkSort::Fault(sign) => (classes!("scrub__mark"), icon(sign)),
        MarkSort::Done(sign) => (classes!("scrub__mark", "scrub__mark--act"), icon(sign)),
    };
    html! {
        <button
            type="button"
            class={class}
            data-at={percent(mark.at, props.end)}
            aria-label={mark.label.clone()}
            title={mark.label.clone()}
            onclick={onclick}
        >
            { inner }
        </button>
    }
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

/// Round moments to write under the line: at most nine.
fn ticks(end: SimTime) -> Vec<SimTime> {
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
