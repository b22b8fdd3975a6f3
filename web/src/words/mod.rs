//! The words of the interface: a catalogue of templates by key, and the few rules for numbers.
//!
//! Nothing the learner reads is written in Rust. A template is a sentence with `{names}` in braces;
//! what a name stands for is given when it is said. `<b>` and `<mark>` in a template are the only
//! markup, for the number of a message and for what broke. A translation is another file.

mod clock;
mod rich;
mod sentence;
mod typed;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

pub use clock::{clock, clock_coarse, clock_fine, seconds};
pub use rich::{Run, rich, runs, unmarked};
pub use sentence::{Names, Sentence, sentence};
pub use typed::typed_number;

/// The catalogue in hand: cheap to clone, equal only to itself.
#[derive(Clone, Default)]
pub struct Words(Rc<Shelf>);

#[derive(Default)]
struct Shelf {
    /// In the order of their keys. An empty template is one that is known not to be.
    templates: RefCell<Vec<(String, Rc<str>)>>,
    /// Who knows the others.
    more: Option<More>,
}

/// The template of a key, if there is one.
type More = Box<dyn Fn(&str) -> Option<String>>;

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Words")
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Words {
    /// A catalogue of the given keys and templates.
    pub fn new(entries: impl IntoIterator<Item = (String, String)>) -> Words {
        Words(Rc::new(Shelf { templates: RefCell::new(in_order(entries)), more: None }))
    }

    /// A catalogue that asks for a template when it is first needed, once for each key.
    pub fn asking(
        entries: impl IntoIterator<Item = (String, String)>,
        more: impl Fn(&str) -> Option<String> + 'static,
    ) -> Words {
        let templates = RefCell::new(in_order(entries));
        Words(Rc::new(Shelf { templates, more: Some(Box::new(more)) }))
    }

    /// Whether the catalogue has a template for `key`.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.template(key).is_some()
    }

    fn template(&self, key: &str) -> Option<Rc<str>> {
        let Shelf { templates, more } = &*self.0;
        let found = find(&templates.borrow(), key);
        let template = match (found, more) {
            (Ok(place), _) => Rc::clone(&templates.borrow()[place].1),
            (Err(_), None) => return None,
            (Err(place), Some(more)) => {
                let template: Rc<str> = more(key).unwrap_or_default().into();
                templates.borrow_mut().insert(place, (key.to_owned(), Rc::clone(&template)));
                template
            }
        };
        (!template.is_empty()).then_some(template)
    }

    /// The template of `key` with its names filled in. A key without a template is shown as it is,
    /// so that a hole in a translation is seen and nothing is hidden by it.
    #[must_use]
    pub fn say(&self, key: &str, names: &[(&str, &str)]) -> String {
        self.template(key).map_or_else(|| key.to_owned(), |template| fill(&template, names))
    }

    /// A text without names.
    #[must_use]
    pub fn text(&self, key: &str) -> String {
        self.say(key, &[])
    }

    /// The template for a count: `key.one` for one, `key.other` else, with `{n}` filled in.
    #[must_use]
    pub fn count(&self, key: &str, n: u64, names: &[(&str, &str)]) -> String {
        let form = if n == 1 { "one" } else { "other" };
        let number = self.number(n);
        let mut all = vec![("n", number.as_str())];
        all.extend_from_slice(names);
        self.say(&[key, ".", form].concat(), &all)
    }

    /// A whole number with its thousands parted as the catalogue says (`number.thousands`).
    #[must_use]
    pub fn number(&self, n: u64) -> String {
        let digits = n.to_string();
        let mark = self.template("number.thousands").unwrap_or_else(|| ",".into());
        let mut out = String::new();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                out.push_str(&mark);
            }
            out.push(digit);
        }
        out
    }
}

fn in_order(entries: impl IntoIterator<Item = (String, String)>) -> Vec<(String, Rc<str>)> {
    let mut templates: Vec<(String, Rc<str>)> = Vec::new();
    for (key, template) in entries {
        let template = template.into();
        // The file is in order, as a rule: then each goes to the end.
        match find(&templates, &key) {
            Ok(place) => templates[place].1 = template,
            Err(place) => templates.insert(place, (key, template)),
        }
    }
    templates
}

fn find(templates: &[(String, Rc<str>)], key: &str) -> Result<usize, usize> {
    templates.binary_search_by(|(other, _)| other.as_str().cmp(key))
}

/// Puts what the names stand for into a template. An unknown name stays as it is written.
#[must_use]
pub fn fill(template: &str, names: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(len) = rest[open..].find('}') else { break };
        let name = &rest[open + 1..open + len];
        out.push_str(&rest[..open]);
        match names.iter().find(|(given, _)| *given == name) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[open..=open + len]),
        }
        rest = &rest[open + len + 1..];
    }
    out.push_str(rest);
    out
}

/// The same text with its first letter large: sentences begin with a component's own name.
#[must_use]
pub fn capital(text: &str) -> String {
    let start = if text.starts_with('<') { text.find('>').map_or(0, |at| at + 1) } else { 0 };
    let mut out = text[..start].to_owned();
    let mut rest = text[start..].chars();
    if let Some(first) = rest.next() {
        // Beyond ASCII the tables of case alone weigh nine kilobytes.
        out.push(first.to_ascii_uppercase());
    }
    out.push_str(rest.as_str());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_at_hand_is_asked_for_once() {
        let asked = Rc::new(RefCell::new(Vec::new()));
        let seen = Rc::clone(&asked);
        let words = Words::asking([("known".to_owned(), "Known".to_owned())], move |key| {
            seen.borrow_mut().push(key.to_owned());
            (key == "far").then(|| "Far".to_owned())
        });
        assert_eq!(words.text("known"), "Known");
        assert_eq!([words.text("far"), words.text("far")], ["Far", "Far"]);
        assert_eq!([words.text("none"), words.text("none")], ["none", "none"]);
        assert!(!words.has("none") && words.has("far"));
        assert_eq!(*asked.borrow(), ["far", "none"]);
    }

    #[test]
    fn an_empty_template_is_none() {
        let words = Words::new([("none".to_owned(), String::new())]);
        assert!(!words.has("none"));
        assert_eq!(words.text("none"), "none");
    }

    fn words() -> Words {
        let pairs = [("a", "{who} has {n}"), ("m.one", "{n} waits"), ("m.other", "{n} wait")];
        Words::new(pairs.map(|(k, t)| (k.to_owned(), t.to_owned())))
    }

    #[test]
    fn templates_are_filled() {
        let check = |template: &str, want: &str| {
            assert_eq!(fill(template, &[("a", "1"), ("b", "two")]), want, "{template}");
        };
        check("{a} and {b}", "1 and two");
        check("{a}{a}", "11");
        check("no names", "no names");
        check("{unknown} {a}", "{unknown} 1");
        check("open { brace", "open { brace");
        check("{a", "{a");
    }

    #[test]
    fn keys_are_found_in_whatever_order_they_came() {
        let pairs = [("m", "3"), ("a", "1"), ("z", "4"), ("a", "2")];
        let words = Words::new(pairs.map(|(k, t)| (k.to_owned(), t.to_owned())));
        assert_eq!(["a", "m", "z", "b"].map(|key| words.text(key)), ["2", "3", "4", "b"]);
    }

    #[test]
    fn a_missing_key_is_shown() {
        assert_eq!(words().say("not.there", &[("n", "1")]), "not.there");
    }

    #[test]
    fn counts_choose_their_form() {
        let check = |n: u64, want: &str| assert_eq!(words().count("m", n, &[]), want);
        check(0, "0 wait");
        check(1, "1 waits");
        check(2, "2 wait");
        check(12_345, "12,345 wait");
    }

    #[test]
    fn thousands_are_parted() {
        let check = |n: u64, want: &str| assert_eq!(words().number(n), want);
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(1_234_567, "1,234,567");
    }

    #[test]
    fn sentences_begin_large() {
        let check = |text: &str, want: &str| assert_eq!(capital(text), want);
        check("worker 1 dies", "Worker 1 dies");
        check("<mark>worker 1</mark> dies", "<mark>Worker 1</mark> dies");
        check("", "");
        check("5 waits", "5 waits");
    }
}
