//! Every bound of a scenario, an exhibit and a link: its name, its value and its reason.
//!
//! A file or a link may be wrong, huge or hostile; the tab it is opened in must stay alive. A
//! reader refuses what is over a bound by the bound's name, and a run that crosses one ends with
//! what it has so far.

use std::fmt;

/// A bound with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is counted, in words that complete "at most 200 …".
    pub name: &'static str,
    /// The largest count that is accepted.
    pub max: usize,
    /// Why the bound lies where it does.
    pub why: &'static str,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} {}", Thousands(self.max as u64), self.name)
    }
}

/// A whole number with a comma between each three digits, as the pages write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thousands(pub u64);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

macro_rules! limits {
    ($($(#[$doc:meta])* $id:ident = $max:literal, $name:literal, $why:literal;)*) => {
        $($(#[$doc])* pub const $id: Limit = Limit { name: $name, max: $max, why: $why };)*

        /// All of them, for the page that lists them and the test that reads them.
        pub const ALL: &[Limit] = &[$($id),*];
    };
}

limits! {
    /// Nesting of lists and records in a document.
    DEPTH = 32, "levels of nesting",
        "a deeper document would be read by recursion that a browser's stack may not hold";
    /// Values in a document.
    NODES = 100_000, "values in a document",
        "a document is kept whole in memory and read again on every change of a slider";
    /// Characters of one text of a document.
    TEXT = 20_000, "characters of text",
        "the longest text of an exhibit is a paragraph of its story";
    /// Characters of a name that others refer to.
    NAME = 40, "characters of a name",
        "a name is drawn in a box of the picture";
    /// Characters of a label.
    LABEL = 80, "characters of a label",
        "a label is drawn on one or two lines";
    /// Characters of a sentence: a lesson, a note, a thing to try.
    SENTENCE = 300, "characters of a sentence",
        "it stands beside a picture and is read at a glance";
    /// Characters of a paragraph: a beat of the story, a summary, a note on the model.
    PARAGRAPH = 1_500, "characters of a paragraph",
        "a longer text belongs on the page around the exhibit";
    /// Characters of a seed.
    SEED = 40, "characters of a seed",
        "a seed is carried in links and typed by hand";
    /// Components of a scenario.
    COMPONENTS = 200, "components",
        "each is drawn, and each has random streams of its own";
    /// Processes of all workers and services together.
    INSTANCES = 1_000, "processes",
        "each is part of every snapshot that a seek starts from";
    /// Requests in the waiting room of one component, and at work in it.
    WAITING = 100_000, "requests waiting",
        "each is a record in every snapshot";
    /// Classes by which load is shed.
    CLASSES = 10, "classes of requests",
        "each is a step on the way to full, and nobody ranks their work finer";
    /// Steps of one handler.
    STEPS = 64, "steps of a handler",
        "each is a line on the page and a crash point, and a bit of a message's record";
    /// Waits of a ladder.
    RUNGS = 8, "waits of a ladder",
        "the last one is repeated; more are written as a growth";
    /// Handlers of one service.
    HANDLERS = 40, "handlers of a service",
        "each is a list of lines on the page";
    /// Schemas of a scenario.
    SCHEMAS = 20, "schemas",
        "each is a version that somebody has to keep in mind";
    /// Tables of one database.
    TABLES = 20, "tables of a database",
        "each is a list of rows in the picture";
    /// Columns of one table, and conditions of one statement.
    COLUMNS = 16, "columns of a table",
        "each is a column in the picture";
    /// Rows inserted into one database in a run.
    ROWS = 200_000, "rows inserted into a database",
        "each is a record in every snapshot";
    /// Partitions of one log.
    PARTITIONS = 200, "partitions of a log",
        "each is a lane of the picture, with readings of its own for every group";
    /// Records that one poll may return.
    POLL_RECORDS = 10_000, "records of one poll",
        "a worker holds them all until it has handled the last";
    /// Queues that one group of workers takes from.
    LANES = 20, "lanes of a group of workers",
        "each is an edge on the map";
    /// Bindings of one topic.
    BINDINGS = 100, "bindings of a topic",
        "each is an edge on the map, and a copy of every message";
    /// Messages of one run.
    MESSAGES = 200_000, "messages",
        "each is a record in every frame and a token in the picture";
    /// Bodies a source gives word for word, and times of a schedule.
    SAMPLES = 1_000, "entries of a source's schedule or sample messages",
        "they are written by hand; a longer flow is a rate";
    /// Lengths of time in one list of what was measured.
    MEASURED = 1_000, "measured times of a list",
        "each is kept for as long as the run; a longer list is told by its percentiles";
    /// Fields of a sample message.
    FIELDS = 40, "fields of a message",
        "each is a line in the inspector";
    /// Trace events of one run.
    TRACE_EVENTS = 2_000_000, "trace events",
        "at 48 bytes each they take a hundred megabytes, as much as a tab on a phone may hold";
    /// Calendar events at one instant of virtual time.
    SAME_INSTANT = 200_000, "events at one instant",
        "a run whose clock stands still would never end";
    /// Faults of a scenario.
    FAULTS = 200, "faults",
        "each is a mark on the time line";
    /// Interventions of a run.
    INTERVENTIONS = 200, "interventions",
        "each is a mark on the time line and a part of the link";
    /// Properties of a scenario.
    PROPERTIES = 20, "properties",
        "each is judged on every trace event";
    /// Runs of one exploration.
    EXPLORED_RUNS = 20_000, "runs of an exploration",
        "each is computed to its end, and a matrix of more cells is not read by anybody";
    /// Events handled in all runs of one exploration.
    EXPLORED_STATES = 200_000_000, "states of an exploration",
        "a tab goes through a few million a second, and nobody waits for longer than minutes";
    /// Messages that an exploration tries.
    EXPLORED_MESSAGES = 50, "messages of an exploration",
        "each is a column of the matrix";
    /// Days of virtual time in one run.
    RUN_DAYS = 30, "days of virtual time",
        "fourteen days is the longest retention of a queue, and a run must be able to see its end";
    /// Settings that a link may change.
    CHANGES = 40, "changes in a link",
        "an exhibit has fewer controls than that";
    /// Characters of a link's run state.
    LINK = 8_000, "characters in a link",
        "servers and mail programs cut longer addresses";
    /// Diagnostics that are kept; the rest is counted.
    DIAGNOSTICS = 50, "messages about one document",
        "nobody reads the fifty-first before repairing the first";
    /// Beats of an exhibit's story.
    BEATS = 60, "beats of a story",
        "a story is read in one sitting";
    /// Characters of one formula of a worksheet.
    FORMULA = 400, "characters of a formula",
        "a longer one is several, each with a name";
    /// Nesting of parentheses, signs and calls in a formula.
    FORMULA_DEPTH = 30, "levels of a formula",
        "a formula is worked out by recursion";
    /// Terms of one sum in a formula.
    TERMS = 1_000, "terms of a sum",
        "a sum is worked out anew for each point of a chart";
    /// Numbers that a worksheet works out for one set of entries, terms of sums included.
    WORK = 2_000_000, "steps of working out a worksheet",
        "it is worked out anew with every letter that is typed";
    /// Controls, actions, gauges, views, notes and facts, each.
    PIECES = 60, "entries of one kind in an exhibit",
        "each is a thing on the page";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_says_its_name_and_reason_once() {
        let mut names: Vec<_> = ALL.iter().map(|limit| limit.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(ALL.iter().all(|limit| limit.max > 0 && limit.why.len() > 20));
    }

    #[test]
    fn counts_are_written_with_commas() {
        let check = |n, text| assert_eq!(Thousands(n).to_string(), text);
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(1_234_567, "1,234,567");
        assert_eq!(COMPONENTS.to_string(), "at most 200 components");
    }
}
