//! Papers, read and refused.

use super::*;

const PATH: &str = "crates/course/content/modules/m1.md";

fn paper(body: &str) -> Result<Paper, String> {
    Paper::read(PATH, &format!("---\ntitle: T\nlead: L.\n---\n{body}"))
}

fn prose(body: &str) -> String {
    let paper = paper(body).expect("a paper");
    let html = paper.pieces.iter().filter_map(|piece| match piece {
        Piece::Heading(Heading { html, .. }) | Piece::Prose(html) => Some(html.as_str()),
        Piece::Exhibit(_) => None,
    });
    html.collect()
}

#[test]
fn exhibits_stand_between_stretches_of_prose() {
    let read = paper("One.\n\n<in-flight exhibit=\"event-life\"></in-flight>\n\nTwo.\n");
    let pieces = read.expect("a paper").pieces;
    let embed = Embed { id: "event-life".into(), line: 7 };
    assert_eq!(
        pieces,
        [
            Piece::Prose("<p>One.</p>\n".into()),
            Piece::Exhibit(embed),
            Piece::Prose("<p>Two.</p>\n".into())
        ]
    );
}

#[test]
fn an_exhibit_that_is_not_there_is_named_with_its_place() {
    let paper = paper("<in-flight exhibit=\"none\"></in-flight>\n").expect("a paper");
    assert_eq!(paper.check_exhibits(&["none"]), Ok(()));
    let message = paper.check_exhibits(&["a", "b"]).expect_err("an error");
    assert_eq!(message, format!("{PATH}:5: there is no exhibit `none`; there are: a, b"));
}

#[test]
fn an_exhibit_stands_in_a_paper_once() {
    let embed = "<in-flight exhibit=\"a\"></in-flight>\n\n";
    let paper = paper(&format!("{embed}b\n\n{embed}")).expect("a paper");
    let message = paper.check_exhibits(&["a"]).expect_err("an error");
    assert_eq!(message, format!("{PATH}:9: `a` stands on line 5 already: keep one"));
    assert_eq!(paper.exhibits(), ["a"]);
}

#[test]
fn sections_have_anchors() {
    let read = paper("## Who *holds* it?\n\na\n\n### The `ack`\n\nb\n").expect("a paper");
    assert_eq!((read.parts[0].id.as_str(), read.parts[0].text.as_str()), ("the-ack", "b"));
    let text = "a".into();
    let (id, title) = ("who-holds-it".into(), "Who holds it?".into());
    let section = Section { id, title, text, defines: false };
    assert_eq!(read.sections, [section]);
    assert!(prose("### The `ack`\n").contains("<h3 id=\"the-ack\">"));
}

#[test]
fn stretches_begin_with_their_headings() {
    let read = paper("a\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n").expect("a paper");
    let heads = |level| -> Vec<String> {
        let first = |stretch: &[Piece]| match &stretch[0] {
            Piece::Heading(head) => head.title.clone(),
            _ => String::new(),
        };
        stretches(&read.pieces, level).into_iter().map(first).collect()
    };
    assert_eq!(heads(2), ["", "B", "D"]);
    assert_eq!(heads(3), ["", "B", "C", "D"]);
    assert_eq!(stretches(&[], 2), Vec::<&[Piece]>::new());
}

#[test]
fn what_is_said_is_kept_as_text() {
    let body = "## A\n\nOne `two`,\nthree.[^x]\n\n| a | b |\n|---|---|\n| c | d |\n\n\
        ## T\n\n[Ack](m2.md)\n: Done *with* it.\n\nNack\n: Not.\n\n[^x]: Not heard.\n";
    let read = paper(body).expect("a paper");
    assert_eq!(read.sections[0].text, "One two, three. a b c d");
    let term = |id: &str, word: &str, text: &str| Term {
        id: id.into(),
        word: word.into(),
        text: text.into(),
    };
    assert_eq!(read.terms, [term("ack", "Ack", "Done with it."), term("nack", "Nack", "Not.")]);
    assert_eq!([false, true], [read.sections[0].defines, read.sections[1].defines]);
    assert_eq!(read.words(), 7 + 6);
}

#[test]
fn links_lead_to_pages() {
    let html = prose("[a](m2.md#x), [b](../glossary.md#ack), [c](https://example.org/)\n");
    for want in ["\"../m2/#x\"", "\"../glossary/#ack\"", "\"https://example.org/\""] {
        assert!(html.contains(want), "{html}");
    }
}

#[test]
fn sources_are_numbered_by_their_first_mention() {
    let body = "a[^y] b[^x] c[^y]\n\n[^x]: *X*, [p](m2.md).\n[^y]: Y.\n";
    let read = paper(body).expect("a paper");
    assert_eq!(read.sources, ["Y.", "<em>X</em>, <a href=\"../m2/\">p</a>."]);
    let html = prose(body);
    assert_eq!(html.matches("href=\"#source-1\"").count(), 2, "{html}");
    assert_eq!(html.matches("id=\"mention-1\"").count(), 1, "{html}");
    assert!(!html.contains("Y."), "{html}");
}

#[test]
fn wide_things_can_be_scrolled_and_terms_linked_to() {
    let html = prose("## A b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```sql\na < b\n```\n");
    assert!(
        html.contains("<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"A b\">")
    );
    assert!(html.contains("<pre tabindex=\"0\"><code>a &lt; b\n</code></pre>"), "{html}");
    let html = prose("## A \u{201c}b\u{201d} & c\n\n| x |\n|---|\n| 1 |\n");
    assert!(html.contains("aria-label=\"A \u{201c}b\u{201d} &amp; c\""), "{html}");
    let html = prose("Dead letter\n: Given up.\n");
    assert!(html.contains("<dt id=\"dead-letter\">Dead letter</dt>"), "{html}");
}

#[test]
fn facts_are_named_and_not_shown() {
    let html = prose("a <!-- F-LIFE-1 --> b\n\n<!-- F-LIFE-2 -->\n");
    assert!(!html.contains("F-LIFE"), "{html}");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let check = |body: &str, want: &str| {
        let message = paper(body).expect_err("an error");
        assert!(message.starts_with(&format!("{PATH}:{want}")), "{message}");
    };
    check("a\n\n<b>x</b>\n", "7: `<b>` is markup");
    check("<div>\n</div>\n", "5: `<div>` is markup");
    check("a <in-flight exhibit=\"x\"></in-flight>\n", "5: `<in-flight exhibit=\"x\">` is markup");
    check("<in-flight></in-flight>\n", "5: write an exhibit");
    check("# T\n", "5: headings are");
    check("## A\n\n## A\n", "7: the anchor `a`");
    check("## Sources\n", "5: the anchor `sources`");
    check("![a](b.png)\n", "5: pictures");
    check("x\n\n[a](b.html)\n", "7: `b.html` has no page");
    check("a[^x]\n", "5: there is no source");
    let headless = Paper::read(PATH, "a\n").expect_err("an error");
    assert!(headless.starts_with(&format!("{PATH}:1: begin")), "{headless}");
}

#[test]
fn anchors_are_plain() {
    let check = |title: &str, want: &str| assert_eq!(slug(title), want);
    check("Who holds it?", "who-holds-it");
    check("It’s 202 / later", "its-202-later");
    check("At-least-once", "at-least-once");
}

#[test]
fn a_number_keeps_its_unit_on_its_line() {
    assert_eq!(
        prose("Five times 30 s are 150 s, or **2.5 min**; 3 share 12 %, at 300 ms.\n"),
        "<p>Five times 30\u{a0}s are 150\u{a0}s, or <strong>2.5\u{a0}min</strong>; \
         3 share 12\u{a0}%, at 300\u{a0}ms.</p>\n"
    );
    // Words that begin like units, and code, stay as they are.
    assert_eq!(prose("In 2 hours, 3 steps.\n"), "<p>In 2 hours, 3 steps.</p>\n");
    let code = prose("```\nwait 30 s\n```\n");
    assert!(code.contains("wait 30 s"), "{code}");
}
