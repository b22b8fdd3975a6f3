//! The signs on buttons. They are decoration: the button says its name in words.

use crate::markup::{Mark, el};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Back to the start.
    Start,
    /// One event back.
    Back,
    /// Let time run.
    Play,
    /// Hold time.
    Pause,
    /// One event on.
    Forward,
    /// On to an event of a kind.
    Next,
    /// Chance.
    Die,
    /// An address.
    Link,
    /// A crash.
    Bolt,
    /// A slow worker.
    Gauge,
    /// Something lost on the way.
    Cut,
    /// Poison.
    Hazard,
    /// Nothing happens for a while.
    Hold,
    /// More of the same.
    More,
    /// Put away.
    Close,
    /// Take back.
    Undo,
    /// Help.
    Help,
    /// Keep as a file.
    Save,
    /// Right.
    Check,
    /// Further up.
    Up,
    /// Further down.
    Down,
    /// Where two part.
    Fork,
}

impl Sign {
    /// The sign an exhibit calls by this name; a bolt if there is none.
    #[must_use]
    pub fn named(name: &str) -> Sign {
        match name {
            "slow" | "gauge" => Sign::Gauge,
            "cut" | "lose" => Sign::Cut,
            "poison" | "hazard" => Sign::Hazard,
            "pause" | "hold" | "outage" => Sign::Hold,
            _ => Sign::Bolt,
        }
    }

    /// Outlines, then filled parts, in a box of 24.
    fn paths(self) -> (&'static str, &'static str) {
        match self {
            Sign::Start => ("M6.2 7.6A7.8 7.8 0 1 1 4.2 12.8M5.2 3v5.6h5.6", ""),
            Sign::Back => ("", "M19 5v14L9 12zM4 5h3v14H4z"),
            Sign::Play => ("", "M7 4.5v15l12.5-7.5z"),
            Sign::Pause => ("", "M6 5h4v14H6zM14 5h4v14h-4z"),
            Sign::Forward => ("", "M5 5v14l10-7zM17 5h3v14h-3z"),
            Sign::Next => ("", "M3 5.5v13l8-6.5zM11 5.5v13l8-6.5zM20 10.2h2.4v3.6H20z"),
            Sign::Die => (
                "M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z",
                "M7.5 7.5h3v3h-3zM13.500 7.500h3v3h-3zM7.500 13.500h3v3h-3zM13.500 13.500h3v3h-3z",
            ),
            Sign::Link => (
                "M10 14a4.200 4.200 0 0 0 6 0l3-3a4.200 4.200 0 0 0-6-6l-1 1M14 10a4.200 4.200 0 \
                 0 0-6 0l-3 3a4.200 4.200 0 0 0 6 6l1-1",
                "",
            ),
            Sign::Bolt => ("", "M13.5 2.5L5 13.6h5.4L9.4 21.5 19 9.8h-5.8z"),
            Sign::Gauge => ("M4 16a8 8 0 1 1 16 0M12 16L7.2 11.8M3 20h18", ""),
            Sign::Cut => ("M3 12h6M15 12h6M9.5 16.5l5-9M7 18.500h2M15 5.500h2", ""),
            Sign::Hazard => {
                ("M12 2.8L21.2 12 12 21.2 2.8 12zM12 8v4.6", "M10.900 14.700h2.200v2.200h-2.200z")
            }
            Sign::Hold => ("M12 3.500a8.500 8.500 0 1 0 .01 0M9.500 9v6M14.500 9v6", ""),
            Sign::More => (
                "",
                "M3.200 10.200h3.600v3.600H3.200zM10.200 10.200h3.600v3.600h-3.600zM17.200 10.200h3.600v3.600h-3.600z",
            ),
            Sign::Close => ("M6 6l12 12M18 6L6 18", ""),
            Sign::Undo => {
                ("M8.500 5L4 9.500 8.500 14M4.500 9.500H14a5.500 5.500 0 0 1 0 11h-3", "")
            }
            Sign::Save => ("M12 3.500v11M7 10l5 5 5-5M4 20h16", ""),
            Sign::Check => ("M4.5 12.5l5 5L19.5 7", ""),
            Sign::Up => ("M12 19V5.500M6 11.500l6-6 6 6", ""),
            Sign::Fork => ("M12 21v-7L5.500 7.500M12 14l6.500-6.500M5 12V7h5M19 12V7h-5", ""),
            Sign::Down => ("M12 5v13.500M6 12.500l6 6 6-6", ""),
            Sign::Help => (
                "M8.500 9a3.500 3.500 0 1 1 5 3.200c-1 .5-1.500 1.200-1.500 2.300",
                "M10.900 17.500h2.200v2.200h-2.200z",
            ),
        }
    }
}

/// The sign as a small picture without a name.
pub fn icon(sign: Sign) -> Mark {
    let (outline, fill) = sign.paths();
    let part = |class, d: &'static str| (!d.is_empty()).then(|| el("path", class).set("d", d));
    el("svg", "ico")
        .set("width", "18")
        .set("height", "18")
        .set("viewBox", "0 0 24 24")
        .set("aria-hidden", "true")
        .with(part("", outline))
        .with(part("fill", fill))
}
