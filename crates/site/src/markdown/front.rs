//! The head of a paper: what stands between the two lines of dashes at its top.

/// What a paper says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// Its title.
    pub title: String,
    /// Its place in the course, from 1; a paper outside the course has none.
    pub number: Option<usize>,
    /// The one question it answers; empty outside the course.
    pub question: String,
    /// What it is about, in a sentence.
    pub lead: String,
    /// What a reader can do afterwards.
    pub lessons: Vec<String>,
}

const FENCE: &str = "---";

impl Front {
    /// Reads the head of `text` and tells at which byte the body begins.
    ///
    /// # Errors
    /// Says which line is wrong, or what is missing, and what to write instead.
    pub fn read(text: &str) -> Result<(Front, usize), String> {
        let mut front = Front::default();
        let mut lines = text.split_inclusive('\n').enumerate();
        let mut read = 0;
        match lines.next() {
            Some((_, line)) if line.trim_end() == FENCE => read += line.len(),
            _ => return Err("1: begin with a line of three dashes, then `title: …`".into()),
        }
        let mut listing = false;
        for (at, line) in lines {
            read += line.len();
            let line = line.trim_end();
            if line == FENCE {
                return front.whole().map(|front| (front, read));
            }
            match line.strip_prefix("- ") {
                Some(lesson) if listing => front.lessons.push(lesson.to_owned()),
                _ => {
                    let said = front.set(line).map_err(|error| format!("{}: {error}", at + 1))?;
                    listing = said == Said::List;
                }
            }
        }
        Err("1: the head has no second line of three dashes".into())
    }

    fn set(&mut self, line: &str) -> Result<Said, String> {
        let (key, value) = line.split_once(':').ok_or("write `key: value`")?;
        let value = value.trim();
        match key {
            "title" => self.title = value.into(),
            "question" => self.question = value.into(),
            "lead" => self.lead = value.into(),
            "number" => {
                let number = value.parse().map_err(|_| "the number is a whole number from 1")?;
                self.number = Some(number);
            }
            "lessons" => return Ok(Said::List),
            other => return Err(format!("`{other}` is no part of a head")),
        }
        Ok(Said::Value)
    }

    fn whole(self) -> Result<Front, String> {
        for (key, value) in [("title", &self.title), ("lead", &self.lead)] {
            if value.is_empty() {
                return Err(format!("1: the head has no `{key}`"));
            }
        }
        Ok(self)
    }
}

/// What a line of the head held.
#[derive(PartialEq, Eq)]
enum Said {
    Value,
    /// The lines after it, each with a dash, belong to it.
    List,
}

#[cfg(test)]
mod tests {
    use super::Front;

    #[test]
    fn a_head_is_read_and_the_body_found() {
        let text = "---\ntitle: T: u\nnumber: 3\nlead: L.\nlessons:\n- one\n- two\n---\nBody\n";
        let (front, body) = Front::read(text).expect("a head");
        assert_eq!((front.title.as_str(), front.number), ("T: u", Some(3)));
        assert_eq!(front.lessons, ["one", "two"]);
        assert_eq!(&text[body..], "Body\n");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let check = |text: &str, want: &str| {
            let message = Front::read(text).expect_err("an error");
            assert!(message.contains(want), "{message}");
        };
        check("title: T\n", "1: begin with");
        check("---\ntitle: T\nnumber: x\n---\n", "3: the number");
        check("---\ncolour: red\n---\n", "2: `colour`");
        check("---\n- stray\n---\n", "2: write");
        check("---\ntitle: T\n---\n", "no `lead`");
        check("---\ntitle: T\n", "second line");
    }
}
