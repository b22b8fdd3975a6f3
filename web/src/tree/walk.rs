//! A walk: where somebody is in a tree, and with which example.

use std::rc::Rc;

use course::tree::{Example, Next, Tree};

use crate::study::Shown;

/// Everything that may be done on a walk.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Give an answer.
    Answer(usize),
    /// Go back to the question after so many answers.
    Back(usize),
    /// Walk with an example of the tree, or with one's own.
    With(Option<usize>),
    /// Say what one's own example is.
    Name(String),
    /// Watch a run.
    Watch(Shown),
    /// Put the run away.
    Unwatch,
    /// Copy the walk as text.
    Copy,
}

/// Where somebody is.
#[derive(Clone, Debug)]
pub struct Walk {
    tree: Rc<Tree>,
    /// The answers given, by their positions.
    pub path: Vec<usize>,
    /// The example of the tree.
    pub with: Option<usize>,
    /// One's own example.
    pub own: String,
    /// The run that is watched.
    pub watched: Option<Shown>,
}

impl Walk {
    /// At the first question.
    #[must_use]
    pub fn begin(tree: Rc<Tree>) -> Walk {
        Walk { tree, path: Vec::new(), with: None, own: String::new(), watched: None }
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Rc<Tree> {
        &self.tree
    }

    /// Where the answers have led.
    #[must_use]
    pub fn at(&self) -> Next {
        self.tree.follow(&self.path).unwrap_or(Next::Fork(0))
    }

    /// Does something. What needs a browser is for the caller.
    pub fn act(&mut self, act: Act) {
        match act {
            Act::Answer(answer) => {
                self.path.push(answer);
                if self.tree.follow(&self.path).is_none() {
                    self.path.pop();
                }
                self.watched = None;
            }
            Act::Back(to) => {
                self.path.truncate(to);
                self.watched = None;
            }
            Act::With(example) => {
                self.with = example.filter(|at| *at < self.tree.examples.len());
                self.path.clear();
                self.watched = None;
            }
            Act::Name(name) => self.own = name,
            Act::Watch(shown) => self.watched = Some(shown),
            Act::Unwatch => self.watched = None,
            Act::Copy => {}
        }
    }

    /// The example that is walked with, if it is one of the tree's.
    #[must_use]
    pub fn example(&self) -> Option<&Example> {
        self.with.map(|at| &self.tree.examples[at])
    }

    /// The questions passed and the answers given, in words.
    #[must_use]
    pub fn steps(&self) -> Vec<(&str, &str)> {
        let mut at = Next::Fork(0);
        let mut steps = Vec::new();
        for &answer in &self.path {
            let Next::Fork(fork) = at else { break };
            let fork = &self.tree.forks[fork];
            let Some((say, next)) = fork.answers.get(answer) else { break };
            steps.push((fork.ask.as_str(), say.as_str()));
            at = *next;
        }
        steps
    }

    /// The walk as text: what it is about, each question with its answer, and the advice.
    #[must_use]
    pub fn text(&self) -> String {
        let about = self.example().map_or(self.own.trim(), |example| &example.say);
        let mut lines = vec![self.tree.title.clone()];
        if !about.is_empty() {
            lines.push(about.to_owned());
        }
        lines.extend(self.steps().iter().map(|(ask, say)| [ask, " ", say].concat()));
        if let Next::End(end) = self.at() {
            let end = &self.tree.ends[end];
            lines.push(["→ ", &end.advise, ". ", &end.because].concat());
        }
        lines.join("\n")
    }

    /// The first answer that the example's own walk gives otherwise, by its place on the path.
    #[must_use]
    pub fn parted(&self) -> Option<usize> {
        let example = self.example()?;
        self.path.iter().zip(&example.path).position(|(given, own)| given != own)
    }
}
