//! The parts of a link's body, written and read.

use sim::SimDuration;

use super::{RunState, text, wrong};
use crate::limits;
use crate::wire::{
    Diagnostic, Pointer, Value, excerpt, format_duration, format_time, parse_duration,
};

/// Refuses more changes or interventions than a link may hold.
pub(super) fn check_counts(changes: usize, interventions: usize) -> Result<(), Diagnostic> {
    for (count, limit) in [(changes, limits::CHANGES), (interventions, limits::INTERVENTIONS)] {
        if count > limit.max {
            return Err(wrong(
                format!("the link holds {count} entries of one kind; the bound is {limit}"),
                "take some of them back",
            ));
        }
    }
    Ok(())
}

/// The body for a state.
pub(super) fn write(state: &RunState) -> String {
    let mut parts = Vec::new();
    let escaped = |plain: &str, out: &mut String| text::escape(plain, out);
    if let Some(seed) = &state.seed {
        let mut part = "s:".to_owned();
        escaped(seed, &mut part);
        parts.push(part);
    }
    for (place, value) in &state.changes {
        let mut part = "c:".to_owned();
        escaped(&place.to_string(), &mut part);
        part.push(':');
        write_value(value, &mut part);
        parts.push(part);
    }
    for intervention in &state.interventions {
        let mut part = "i:".to_owned();
        match timed_form(intervention) {
            Some((at, name, form)) => {
                part.push_str(name);
                part.push('@');
                part.push_str(at);
                write_value(form, &mut part);
            }
            None => write_value(intervention, &mut part),
        }
        parts.push(part);
    }
    if let Some(at) = state.at {
        parts.push(format!("t:{}", format_time(at)));
    }
    if let Some(message) = state.follow {
        parts.push(format!("f:{message}"));
    }
    parts.join(";")
}

/// `{ "at": "18.4s", "crash": { … } }` taken apart, if it is written exactly so: then it has a
/// shorter form that gives it back.
fn timed_form(intervention: &Value) -> Option<(&str, &str, &Value)> {
    let [(at, Value::Text(time)), (name, form @ Value::Record(_))] = intervention.as_record()?
    else {
        return None;
    };
    let canonical = parse_duration(time).is_ok_and(|read| format_duration(read) == *time);
    let plain = is_form_name(name);
    (at == "at" && canonical && plain).then_some((time, name, form))
}

fn is_form_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Bool(true) => out.push_str("!t"),
        Value::Bool(false) => out.push_str("!f"),
        Value::Number(number) if number.is_finite() => out.push_str(&text::number(*number)),
        Value::Null | Value::Number(_) => out.push_str("!n"),
        Value::Text(plain) => {
            if plain.is_empty() || text::as_number(plain).is_some() {
                out.push('*');
            }
            text::escape(plain, out);
        }
        Value::List(entries) => {
            out.push_str("!(");
            for (at, entry) in entries.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_value(entry, out);
            }
            out.push(')');
        }
        Value::Record(fields) => {
            out.push('(');
            for (at, (key, field)) in fields.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                text::escape(key, out);
                out.push(':');
                write_value(field, out);
            }
            out.push(')');
        }
    }
}

/// Reads a body; every part that is wrong is reported.
pub(super) fn read(body: &str) -> Result<RunState, Vec<Diagnostic>> {
    let mut state = RunState::default();
    let mut refused = Vec::new();
    let parts = body.split(';').filter(|part| !part.is_empty());
    for part in parts.take(limits::CHANGES.max + limits::INTERVENTIONS.max + 4) {
        if let Err(problem) = read_part(part, &mut state) {
            let repair = "make the link anew with the page's own button";
            refused.push(wrong(format!("in “{}”, {problem}", excerpt(part)), repair));
        }
    }
    refused.extend(check_counts(state.changes.len(), state.interventions.len()).err());
    refused.truncate(limits::DIAGNOSTICS.max);
    if refused.is_empty() { Ok(state) } else { Err(refused) }
}

fn read_part(part: &str, state: &mut RunState) -> Result<(), String> {
    let (kind, rest) = part.split_once(':').ok_or("nothing says what it is")?;
    let mut input = Input { rest };
    match kind {
        "s" => state.seed = Some(input.text()?),
        "c" => {
            let place = Pointer::parse(&input.text()?).map_err(|why| why.problem)?;
            input.expect(':')?;
            state.changes.push((place, input.value(0)?));
        }
        "i" => state.interventions.push(input.intervention()?),
        "t" => {
            let since_start = parse_duration(&input.text()?).map_err(|(problem, _)| problem)?;
            let longest = SimDuration::from_secs(limits::RUN_DAYS.max as u64 * 86_400);
            if since_start > longest {
                return Err(format!("the playhead is beyond {}", limits::RUN_DAYS));
            }
            state.at = Some(sim::SimTime::from_micros(since_start.as_micros()));
        }
        "f" => {
            let number = input.text()?.parse().ok().filter(|number| *number > 0);
            state.follow = Some(number.ok_or("the message has no number")?);
        }
        _ => return Err("the kind of part is not known".into()),
    }
    input.end()
}

/// What is left to read of a part.
struct Input<'a> {
    rest: &'a str,
}

impl<'a> Input<'a> {
    fn take(&mut self, prefix: &str) -> bool {
        let stripped = self.rest.strip_prefix(prefix);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(format!("“{c}” is missing before “{}”", excerpt(self.rest))),
        }
    }

    fn end(&self) -> Result<(), String> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(format!("“{}” is too much", excerpt(self.rest)))
    }

    /// The longest run of text characters, as they stand.
    fn raw(&mut self) -> &'a str {
        let signs = |c: char| text::is_plain(c) || c == '+' || c == '~';
        let end = self.rest.find(|c| !signs(c)).unwrap_or(self.rest.len());
        let (raw, rest) = self.rest.split_at(end);
        self.rest = rest;
        raw
    }

    fn text(&mut self) -> Result<String, String> {
        unescape(self.raw())
    }

    fn intervention(&mut self) -> Result<Value, String> {
        let timed = self.rest.split_once('@').filter(|(name, _)| is_form_name(name));
        let Some((name, rest)) = timed else { return self.value(0) };
        self.rest = rest;
        let time = self.text()?;
        let form = self.value(1)?;
        Ok(Value::record([("at", Value::Text(time)), (name, form)]))
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > limits::DEPTH.max {
            return Err(format!("values are nested beyond {}", limits::DEPTH));
        }
        let literals = [("!n", Value::Null), ("!t", Value::Bool(true)), ("!f", Value::Bool(false))];
        for (sign, value) in literals {
            if self.take(sign) {
                return Ok(value);
            }
        }
        if self.take("!(") {
            return self.entries(|input| input.value(depth + 1)).map(Value::List);
        }
        if self.take("(") {
            return self.entries(|input| input.field(depth + 1)).map(Value::Record);
        }
        if self.take("*") {
            return self.text().map(Value::Text);
        }
        let raw = self.raw();
        if raw.is_empty() {
            return Err(format!("a value is missing before “{}”", excerpt(self.rest)));
        }
        match text::as_number(raw) {
            Some(number) => Ok(Value::Number(number)),
            None => unescape(raw).map(Value::Text),
        }
    }

    fn field(&mut self, depth: usize) -> Result<(String, Value), String> {
        let name = self.text()?;
        self.expect(':')?;
        Ok((name, self.value(depth)?))
    }

    /// Entries between commas up to the closing bracket.
    fn entries<T>(
        &mut self,
        mut entry: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut entries = Vec::new();
        while !self.take(")") {
            if !entries.is_empty() {
                self.expect(',')?;
            }
            entries.push(entry(self)?);
        }
        Ok(entries)
    }
}

fn unescape(raw: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(raw.len());
    let mut pieces = raw.split('~');
    plain.push_str(&pieces.next().unwrap_or_default().replace('+', " "));
    while let Some(code) = pieces.next() {
        let c = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
        plain.push(c.ok_or_else(|| format!("“~{}~” is no character", excerpt(code)))?);
        let after = pieces.next().ok_or("a “~” is missing")?;
        plain.push_str(&after.replace('+', " "));
    }
    Ok(plain)
}
