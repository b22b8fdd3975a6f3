//! Settings: the attributes of the element, read. A wrong value is complained about and the
//! default is used.

use scenario::wire::Diagnostic;

use crate::components::{Controls, FrameStyle};
use crate::quiz::{Attempts, Reveal};
use crate::state::{Motion, Speed};

/// What the element's attributes say.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The seed, if it is not the exhibit's own.
    pub seed: Option<u64>,
    /// The run as a link says.
    pub run: Option<String>,
    /// How fast.
    pub speed: Option<Speed>,
    /// The beat of the story to begin at, from 1.
    pub step: Option<usize>,
    /// Whether virtual time runs at once.
    pub autoplay: Autoplay,
    /// How much of the player is shown.
    pub controls: Controls,
    /// How the exhibit is framed.
    pub frame: FrameStyle,
    /// How the time between two events is shown; `None`: as the reader's system asks.
    pub motion: Option<Motion>,
    /// The level of the exhibit's heading.
    pub level: u8,
    /// The exhibit's name in this page, if it is not its title.
    pub label: Option<String>,
    /// How often a question may be answered.
    pub attempts: Attempts,
    /// When a right answer may be seen.
    pub reveal: Reveal,
    /// Where progress is kept.
    pub storage: Storage,
}

/// Where progress is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// On the device.
    #[default]
    Local,
    /// Nowhere.
    None,
}

/// Whether virtual time runs at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoplay {
    /// Nothing starts by itself.
    #[default]
    Off,
    /// It runs as soon as the exhibit is there.
    On,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: None,
            run: None,
            speed: None,
            step: None,
            autoplay: Autoplay::Off,
            controls: Controls::Full,
            frame: FrameStyle::Quiet,
            motion: None,
            level: 3,
            label: None,
            attempts: Attempts::default(),
            reveal: Reveal::default(),
            storage: Storage::default(),
        }
    }
}

impl Settings {
    /// Reads attributes. Those that concern the loader alone (theme, language, size, loading) are
    /// none of the exhibit's business and are passed over.
    #[must_use]
    pub fn read(attributes: &[(String, String)]) -> (Settings, Vec<Diagnostic>) {
        let mut settings = Settings::default();
        let mut wrong = Vec::new();
        for (name, value) in attributes {
            if let Err(repair) = settings.set(name, Some(value)) {
                wrong.push(complaint(name, value, repair));
            }
        }
        (settings, wrong)
    }

    /// Sets one attribute; `None` takes it away.
    ///
    /// # Errors
    /// What may stand there.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), &'static str> {
        let default = Settings::default();
        let value = value.map(str::trim);
        match name {
            "seed" => self.seed = read(value, |text| text.parse().ok(), "use digits, up to 20")?,
            "run" => self.run = value.filter(|run| !run.is_empty()).map(str::to_owned),
            "speed" => {
                let repair = "use a number from 0.1 to 1000, or “max”";
                self.speed = read(value, Speed::parse, repair)?;
            }
            "step" => {
                let number = |text: &str| text.parse().ok().filter(|step| *step > 0);
                self.step = read(value, number, "use the number of a beat, from 1")?;
            }
            "autoplay" => {
                let repair = "use “on” or “off”";
                self.autoplay = read(value, autoplay, repair)?.unwrap_or(default.autoplay);
            }
            "controls" => {
                let repair = "use “full”, “mini” or “none”";
                self.controls = read(value, Controls::parse, repair)?.unwrap_or(default.controls);
            }
            "frame" => {
                let repair = "use “sign”, “quiet”, “clear” or “none”";
                self.frame = read(value, FrameStyle::parse, repair)?.unwrap_or(default.frame);
            }
            "motion" => {
                self.motion = read(value, motion, "use “auto”, “full” or “step”")?.flatten();
            }
            "heading-level" => {
                let number = |text: &str| text.parse().ok().filter(|level| (1..=6).contains(level));
                self.level =
                    read(value, number, "use a number from 1 to 6")?.unwrap_or(default.level);
            }
            "attempts" => {
                let most = |text: &str| text.parse().ok().filter(|most| (1..100).contains(most));
                let most = read(value, most, "use a number from 1 to 99")?;
                self.attempts = most.map_or(default.attempts, Attempts::Most);
            }
            "reveal" => {
                let repair = "use “after”, “never” or “always”";
                self.reveal = read(value, Reveal::parse, repair)?.unwrap_or(default.reveal);
            }
            "storage" => {
                let repair = "use “local” or “none”";
                self.storage = read(value, storage, repair)?.unwrap_or(default.storage);
            }
            "label" => self.label = value.filter(|label| !label.is_empty()).map(str::to_owned),
            _ => {}
        }
        Ok(())
    }
}

/// What is wrong with an attribute.
#[must_use]
pub fn complaint(name: &str, value: &str, repair: &str) -> Diagnostic {
    let shown: String = value.chars().take(40).collect();
    Diagnostic::new(name, ["“", &shown, "” is not a value of this attribute"].concat(), repair)
}

fn read<T>(
    value: Option<&str>,
    of: impl Fn(&str) -> Option<T>,
    repair: &'static str,
) -> Result<Option<T>, &'static str> {
    match value {
        None => Ok(None),
        Some(text) => of(text).map(Some).ok_or(repair),
    }
}

fn autoplay(text: &str) -> Option<Autoplay> {
    match text {
        "" | "on" | "true" | "autoplay" => Some(Autoplay::On),
        "off" | "false" => Some(Autoplay::Off),
        _ => None,
    }
}

fn storage(text: &str) -> Option<Storage> {
    match text {
        "local" => Some(Storage::Local),
        "none" => Some(Storage::None),
        _ => None,
    }
}

#[allow(clippy::option_option, reason = "“auto” is a value: it says that the system decides")]
fn motion(text: &str) -> Option<Option<Motion>> {
    match text {
        "auto" => Some(None),
        "full" => Some(Some(Motion::Full)),
        "step" => Some(Some(Motion::Steps)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> (Settings, Vec<Diagnostic>) {
        Settings::read(&[(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn attributes_are_read() {
        assert_eq!(set("seed", "18446744073709551615").0.seed, Some(u64::MAX));
        assert_eq!(set("speed", "20").0.speed, Some(Speed::Times(20.0)));
        assert_eq!(set("step", "3").0.step, Some(3));
        assert_eq!(set("autoplay", "").0.autoplay, Autoplay::On);
        assert_eq!(set("controls", "mini").0.controls, Controls::Mini);
        assert_eq!(set("frame", "sign").0.frame, FrameStyle::Page);
        assert_eq!(set("motion", "step").0.motion, Some(Motion::Steps));
        assert_eq!(set("motion", "auto").0.motion, None);
        assert_eq!(set("heading-level", "2").0.level, 2);
        assert_eq!(set("attempts", "3").0.attempts, Attempts::Most(3));
        assert_eq!(set("reveal", "never").0.reveal, Reveal::Never);
        assert_eq!(set("storage", "none").0.storage, Storage::None);
        assert_eq!(set("label", "Retry storm").0.label.as_deref(), Some("Retry storm"));
    }

    #[test]
    fn a_wrong_value_is_said_and_the_default_used() {
        let check = |name: &str, value: &str| {
            let (settings, wrong) = set(name, value);
            assert_eq!(settings, Settings::default(), "{name}={value}");
            assert_eq!(wrong.len(), 1, "{name}={value}");
            assert_eq!(wrong[0].path, name);
        };
        check("seed", "-1");
        check("seed", "18446744073709551616");
        check("speed", "0");
        check("step", "0");
        check("autoplay", "yes");
        check("controls", "some");
        check("frame", "gold");
        check("motion", "slow");
        check("heading-level", "7");
        check("attempts", "0");
        check("attempts", "100");
        check("reveal", "soon");
        check("storage", "cloud");
    }

    #[test]
    fn what_concerns_the_loader_is_passed_over() {
        for name in ["theme", "lang", "exhibit", "src", "loading", "height", "ratio"] {
            assert_eq!(set(name, "anything"), (Settings::default(), Vec::new()), "{name}");
        }
    }
}
