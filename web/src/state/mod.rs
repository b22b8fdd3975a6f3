//! The state of an exhibit in a learner's hands, and what the parts of the page show of it.
//!
//! All of it is plain Rust and runs natively: the tests do, and so does `site` for the pictures
//! that stand in a page before the module arrives.
//!
//! - [`Session`] is the state; [`Act`] is everything that changes it; [`Response`] is what there
//!   is to say about that.
//! - [`Session::tick`] turns screen time into virtual time.
//! - The other modules are views of it as plain data, one a part of the page: [`lines`] for the
//!   transcript, [`readings`] for the gauges, [`marks`] for the scrubber, and so on.

mod act;
mod card;
mod changed;
mod chart;
mod compare;
mod derived;
mod dials;
mod export;
mod gauges;
mod lines;
mod many;
mod mark;
mod matrix;
mod offers;
mod playback;
mod predict;
mod reduce;
mod scene;
mod sequence;
mod session;
mod speed;
mod story;
mod strip;
mod timeline;
mod traces;
mod transcript;

pub use act::{Act, Inspected, Response, Sought};
pub use card::{Card, Link, Setting, card};
pub use changed::changed;
pub use chart::{
    Behind, Line as ChartLine, Look as BehindLook, PLACES, PLOT, ReadOut, Shown as ChartShown,
    charts, read_out,
};
pub use compare::{Compared, Other, Parting, compared, others};
pub use dials::{Dial, dials};
pub use export::{chart_csv, scenario_json, trace_csv};
pub use gauges::{Reading, SPARK, depth_area, readings, values};
pub use lines::{Line, Lines, last_said, lines};
pub use many::{COUNTS, ManyShown, many, replicas};
pub use mark::{Mark, MarkSort, Phase, marks};
pub use matrix::{CellShown, Judged, MatrixShown, ProgramShown, RowShown, matrix};
pub use offers::{Offer, Take, offers, takes, what};
pub use playback::Ticked;
pub use predict::{Foretold, Guess, Stage as GuessStage, foretold};
pub use scene::scene;
pub use sequence::{
    HOPS, Look as HopLook, ROW, Row as SequenceRow, Sequence, Shape, Stay, Tone, sequence,
};
pub use session::{Motion, Playing, SLICE, Session};
pub use speed::Speed;
pub use story::{Told, beat_at, next_after, previous_before};
pub use strip::{End, Look, Piece, Pin, PinSort, Row, Strip, WIDTH, place, span, strip};
pub use timeline::{Bar, Bit, BitLook, Flag, ROWS, Timeline, share, timeline};
pub use traces::{SpanShown, TraceShown, Traces, traces};
pub use transcript::Filter;

#[cfg(test)]
mod tests;
