//! Controls: values of the scenario that a learner may change, each by a slider or a choice.

use scenario::limits;
use scenario::wire::{Pointer, Reader, Value, format_duration, parse_duration};
use sim::SimDuration;

use crate::context::{Context, all, maybe};

/// A value that may be changed. The run is then made anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Where the value stands in the scenario's document.
    pub pointer: Pointer,
    /// What it is called.
    pub label: String,
    /// What else there is to know.
    pub note: Option<String>,
    /// The values it may take.
    pub setting: Setting,
}

/// The values that a control may take. A range has positions from 0 to the number of its steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// Durations at equal distances.
    Durations {
        /// The shortest.
        min: SimDuration,
        /// The longest.
        max: SimDuration,
        /// The distance.
        step: SimDuration,
    },
    /// Numbers at equal distances.
    Numbers {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
        /// The distance.
        step: f64,
    },
    /// Named values.
    Choices(Vec<Choice>),
}

/// A named value.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The value in the document.
    pub value: Value,
    /// What it is called.
    pub label: String,
}

/// A slider is a thousand pixels wide at most.
const MOST_STEPS: u32 = 1_000;

impl Setting {
    /// The last position.
    #[must_use]
    pub fn last(&self) -> u32 {
        match self {
            Self::Durations { min, max, step } => {
                let steps = (*max - *min).as_micros() / step.as_micros().max(1);
                u32::try_from(steps).unwrap_or(MOST_STEPS)
            }
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a cast of a float saturates, and the number of steps is bounded"
            )]
            Self::Numbers { min, max, step } => ((max - min) / step + 1e-9) as u32,
            Self::Choices(choices) => u32::try_from(choices.len()).unwrap_or(1).saturating_sub(1),
        }
    }

    /// The value at a position; beyond the last, that of the last.
    #[must_use]
    pub fn value_at(&self, position: u32) -> Value {
        let position = position.min(self.last());
        match self {
            Self::Durations { min, step, .. } => {
                let micros = min.as_micros() + step.as_micros() * u64::from(position);
                Value::Text(format_duration(SimDuration::from_micros(micros)))
            }
            Self::Numbers { min, step, .. } => {
                Value::Number(tidy(min + step * f64::from(position)))
            }
            Self::Choices(choices) => {
                choices.get(position as usize).map_or(Value::Null, |choice| choice.value.clone())
            }
        }
    }

    /// The position of a value, if it lies within the range and on a step, or is a choice.
    #[must_use]
    pub fn position_of(&self, value: &Value) -> Option<u32> {
        match self {
            Self::Durations { min, max, step } => {
                let duration = parse_duration(value.as_text()?).ok()?;
                let inside = (*min..=*max).contains(&duration);
                let from_min = inside.then(|| (duration - *min).as_micros())?;
                let on_step = from_min.is_multiple_of(step.as_micros());
                on_step.then_some(u32::try_from(from_min / step.as_micros()).ok()?)
            }
            Self::Numbers { .. } => {
                let number = value.as_number()?;
                (0..=self.last()).find(|at| {
                    self.value_at(*at).as_number().is_some_and(|n| (n - number).abs() < 1e-9)
                })
            }
            Self::Choices(choices) => {
                let at = choices.iter().position(|choice| choice.value == *value)?;
                u32::try_from(at).ok()
            }
        }
    }

    /// What is called a value of a choice; `None` for ranges and for values that are no choice.
    #[must_use]
    pub fn label_of(&self, value: &Value) -> Option<&str> {
        let Self::Choices(choices) = self else { return None };
        choices.iter().find(|choice| choice.value == *value).map(|choice| choice.label.as_str())
    }
}

/// Takes the last bits out that adding steps leaves: `0.30000000000000004`.
fn tidy(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

impl Control {
    pub(crate) fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let pointer = record.required("pointer").and_then(|r| context.place(&r));
        let label = record.required("label").and_then(|r| r.text(limits::LABEL));
        let note = maybe(record.optional("note"), |r| r.text(limits::SENTENCE));
        let setting = match record.one_of(&["range", "choices"]) {
            Some(("range", range)) => read_range(&range),
            Some((_, choices)) => read_choices(&choices),
            None => None,
        };
        record.finish();
        Some(Self {
            pointer: pointer?,
            label: label?.to_owned(),
            note: note?.map(str::to_owned),
            setting: setting?,
        })
    }
}

fn read_range(reader: &Reader<'_>) -> Option<Setting> {
    let mut record = reader.record()?;
    let (min, max, step) =
        (record.required("min"), record.required("max"), record.required("step"));
    record.finish();
    let (min, max, step) = (min?, max?, step?);
    let setting = if matches!(min.value(), Value::Text(_)) {
        let longest = SimDuration::from_secs(limits::RUN_DAYS.max as u64 * 86_400);
        let read = |r: &Reader<'_>, least| r.duration(least..=longest);
        let min = read(&min, SimDuration::ZERO)?;
        let max = read(&max, min)?;
        Setting::Durations { min, max, step: read(&step, SimDuration::from_micros(1))? }
    } else {
        let min = min.number(-1e9..=1e9)?;
        let max = max.number(min..=1e9)?;
        Setting::Numbers { min, max, step: step.number(1e-6..=1e9)? }
    };
    if setting.last() > MOST_STEPS {
        reader.error(
            format!("this range has {} steps", limits::Thousands(u64::from(setting.last()))),
            format!("use a larger step, so that there are at most {MOST_STEPS}"),
        );
        return None;
    }
    Some(setting)
}

fn read_choices(reader: &Reader<'_>) -> Option<Setting> {
    let choices = all(Some(reader.clone()), limits::PIECES, |entry| {
        let mut record = entry.record()?;
        let value = record.required("value").map(|r| r.value().clone());
        let label = record.required("label").and_then(|r| r.text(limits::LABEL));
        record.finish();
        Some(Choice { value: value?, label: label?.to_owned() })
    })?;
    if choices.len() < 2 {
        reader.error("a choice needs two values at least", "add one, or take the control out");
        return None;
    }
    Some(Setting::Choices(choices))
}
