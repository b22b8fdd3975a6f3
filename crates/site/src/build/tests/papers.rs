//! The papers beside the modules, as pages.

use super::*;

#[test]
fn anti_patterns_stand_by_module_and_can_be_asked_for_alone() {
    let site = &*PLAIN;
    let page = site.read("anti-patterns/index.html");
    assert_eq!(page.matches("<article class=\"card pattern\">").count(), 45);
    let filter = between(page, "<nav class=\"filter\"", "</nav>");
    assert_eq!(filter.matches("<span class=\"bullet\"").count(), 8, "each is a module's: {filter}");
    for (module, id) in [(1, "later-or-now"), (8, "operate-it")] {
        assert!(filter.contains(&format!("href=\"#{id}\"")), "{id}");
        let group = between(
            page,
            &format!("<section class=\"filtered__group\" id=\"{id}\">"),
            "</section>",
        );
        assert!(group.contains(&format!("href=\"../m{module}/\"")), "{id} leads to its module");
    }
    for card in page.split("<article class=\"card pattern\">").skip(1) {
        let card = card.split("</article>").next().unwrap_or_default();
        for said in
            ["<strong>You see</strong>", "<strong>Because</strong>", "<strong>Instead</strong>"]
        {
            assert!(card.contains(said), "{said} in {card}");
        }
        let look = between(card, "<strong>Look</strong>", "</li>");
        assert!(look.contains("<a href=\"../m"), "a link to a module in {card}");
    }
}

#[test]
fn answers_are_folded_and_shown_by_exhibits() {
    let site = &*PLAIN;
    let page = site.read("interview/index.html");
    let questions = between(page, "id=\"twelve-questions\"", "id=\"five-beats-of-a-design\"");
    assert_eq!(questions.matches("<article class=\"question\">").count(), 12);
    for question in questions.split("<article class=\"question\">").skip(1) {
        let answer = between(question, "<details>", "</details>");
        assert!(answer.contains("Show me"), "{question}");
        assert!(question.split("<details>").next().is_some_and(|head| head.contains("</h3>")));
    }
    assert!(questions.matches("href=\"../exhibits/").count() >= 11, "exhibits to show");
    let beats = between(page, "id=\"five-beats-of-a-design\"", "</ol>");
    assert_eq!(beats.matches("<li>").count(), 5);
}

#[test]
fn the_gate_has_five_that_decide_and_room_for_evidence() {
    let site = &*PLAIN;
    let page = site.read("gate/index.html");
    let decides = between(page, "<section class=\"part\" data-gating>", "</section>");
    assert_eq!(decides.matches("data-check=").count(), 5);
    assert_eq!(page.matches("data-check=").count(), 10);
    assert_eq!(page.matches("<input type=\"checkbox\"").count(), 10);
    assert_eq!(page.matches("<textarea").count(), 10);
    let form = between(page, "<form", "</form>");
    assert_eq!(form.matches("data-check=").count(), 10);
    assert!(!form.contains("<in-flight"), "what is answered is no part of the list");
    assert!(page.contains("<in-flight exhibit=\"the-gate\""), "designs to judge");
}

#[test]
fn the_primer_is_short_and_leads_into_the_glossary() {
    let site = &*PLAIN;
    let page = site.read("primer/index.html");
    let terms: Vec<&str> = page.split("<dt id=").skip(1).collect();
    assert!(terms.len() >= 60, "{} terms", terms.len());
    for term in terms {
        let word = term.split("</dt>").next().unwrap_or_default();
        assert!(word.contains("<a href=\"../glossary/#"), "{word}");
        let said = between(term, "<dd>", "</dd>");
        assert!(said.split_whitespace().count() <= 20, "not in a breath: {said}");
    }
}

#[test]
fn every_page_leads_to_every_paper() {
    let site = &*PLAIN;
    for (page, root) in
        [("index.html", ""), ("m3/index.html", "../"), ("exhibits/event-life/index.html", "../../")]
    {
        let foot = between(site.read(page), "<footer", "</footer>");
        for folder in
            ["m1", "m8", "primer", "glossary", "numbers", "anti-patterns", "interview", "gate"]
        {
            assert!(foot.contains(&format!("href=\"{root}{folder}/\"")), "{folder} in {page}");
        }
    }
    let crumbs = between(site.read("gate/index.html"), "<nav class=\"crumb\"", "</nav>");
    assert!(
        crumbs.contains("href=\".././\"") && crumbs.contains("aria-current=\"page\""),
        "{crumbs}"
    );
}

#[test]
fn the_course_line_says_what_there_is_to_read_and_run() {
    let site = &*PLAIN;
    let page = site.read("progress/index.html");
    let row = between(page, "<tr data-module=\"m1\"", "</tr>");
    assert!(row.contains("two-purses") && row.contains("seven-seconds"), "{row}");
    let sections = between(row, "data-stops=\"", "\"").split(' ').count();
    let module = site.read("m1/index.html");
    assert_eq!(module.matches("<section class=\"part\">").count(), sections);
    let bar = between(module, "<a class=\"site-progress\"", "</a>");
    assert!(bar.contains(" hidden"), "it is shown by a script where there is progress");
    assert!(bar.contains(&format!("<i data-module=\"m1\" data-stops=\"{sections}\">")), "{bar}");
}

#[test]
fn the_search_knows_its_index_and_its_kinds() {
    let site = &*PLAIN;
    let page = site.read("search/index.html");
    let index = between(page, "data-index=\"../", "\"");
    let entries: Vec<serde_json::Value> = serde_json::from_str(site.read(index)).expect("an index");
    let kinds = between(page, "data-kinds=\"", "\"").matches("&quot;weight&quot;").count();
    let is_known =
        |entry: &serde_json::Value| entry[0].as_u64().is_some_and(|kind| (kind as usize) < kinds);
    assert!(entries.iter().all(is_known));
    let titled = |title: &str| entries.iter().filter(|entry| entry[1] == title).count();
    for title in
        ["Visibility timeout", "Two purses", "Whose seven seconds", "A queue by habit", "The gate"]
    {
        assert!(titled(title) >= 1, "{title}");
    }
    assert!(
        !site.0.iter().any(|(path, text)| path.ends_with(".html")
            && path != "search/index.html"
            && text.contains(index)),
        "only the search asks for it"
    );
}

#[test]
fn authors_find_every_attribute_and_a_snippet_for_every_page() {
    let site = &*PLAIN;
    let page = site.read("authors/index.html");
    let here = std::env::current_dir().expect("a current folder");
    let source = Source::above(&here).expect("the project");
    let vocabulary = attributes::read(&source).expect("a vocabulary");
    let table = between(page, "<table class=\"vocabulary\">", "</table>");
    assert_eq!(table.matches("<tr>").count(), vocabulary.len() + 1);
    for attribute in &vocabulary {
        let row = format!("<th scope=\"row\"><code>{}</code></th>", attribute.name);
        assert!(table.contains(&row), "{}", attribute.name);
    }
    for host in ["html", "mdbook", "mkdocs", "docusaurus", "hugo"] {
        let snippet = between(page, &format!("<div data-host=\"{host}\">"), "</figure>");
        assert!(snippet.contains("/element.js"), "{host} is told of no script");
        let tag = between(
            snippet,
            "&lt;in-flight exhibit=&quot;event-life&quot;&gt;",
            "&lt;/in-flight&gt;",
        );
        assert!(!tag.contains("\n\n"), "a blank line ends the tag in Markdown");
    }
    assert!(between(page, "<div data-host=\"frame\">", "</figure>").contains("&lt;iframe src="));
    let shown = between(page, "<in-flight exhibit=\"event-life\"", "</in-flight>");
    assert!(shown.contains("<svg"), "a still where no script runs");
    let links = site.read("authors/format/index.html");
    assert!(links.contains("<link rel=\"stylesheet\" href=\"../../inflight-"), "two folders up");
    let crumbs = between(links, "<nav class=\"crumb\"", "</nav>");
    assert!(crumbs.contains("<a href=\"../../authors/\">For authors</a>"), "{crumbs}");
}

#[test]
fn what_a_builder_offers_is_there() {
    let site = &*PLAIN;
    let page = site.read("authors/index.html");
    let list = between(page, "<select name=\"exhibit\">", "</select>");
    let edition = between(site.read("element.js"), "\"edition\":\"", "\"");
    let known: Vec<String> =
        serde_json::from_str(site.read(&format!("exhibits/ids-{edition}.json"))).expect("a list");
    for option in list.split("<option value=\"").skip(1) {
        let id = option.split('"').next().unwrap_or_default();
        assert!(known.iter().any(|known| known == id), "the loader does not know {id}");
    }
    assert!(list.matches("data-kind=\"quiz\"").count() > 20, "quizzes");
    assert!(list.matches("data-kind=\"tree\"").count() > 5, "trees");
}

#[test]
fn schemas_are_published_under_their_names() {
    let site = &*PLAIN;
    let format = site.read("authors/format/index.html");
    for name in ["exhibit", "quiz", "tree"] {
        let schema = site.read(&format!("schema/{name}.json"));
        assert!(format.contains(&format!("schema/{name}.json")), "{name} is not named");
        for file in schema.split("\"$ref\":\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let file = file.split('#').next().unwrap_or_default();
            assert!(file.is_empty() || site.has(&format!("schema/{file}")), "{file}");
        }
    }
}
