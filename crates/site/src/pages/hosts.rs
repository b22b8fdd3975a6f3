//! Host pages: where an exhibit is put, and what is written there around it.

/// A kind of page that takes an exhibit.
#[derive(Debug)]
pub struct Host {
    /// Its key among the words under `authors.host.`.
    pub key: &'static str,
    /// What is written there; `{element}` or `{frame}` stands for the exhibit.
    pub code: &'static str,
}

/// The kinds of pages, the plainest first. A blank line would end the tag in most kinds of
/// Markdown, so that none stands inside it.
pub const HOSTS: [Host; 6] = [
    Host {
        key: "html",
        code: "<script src=\"https://host/inflight/element.js\" async></script>\n{element}",
    },
    Host {
        key: "mdbook",
        code: "<!-- once, in theme/head.hbs -->\n\
               <script src=\"https://host/inflight/element.js\" async></script>\n\n\
               <!-- in a chapter, between blank lines -->\n{element}",
    },
    Host {
        key: "mkdocs",
        code: "# once, in mkdocs.yml\n\
               extra_javascript:\n  - path: https://host/inflight/element.js\n    async: true\n\n\
               <!-- in a page, between blank lines -->\n<div>\n{element}\n</div>",
    },
    Host {
        key: "docusaurus",
        code: "// once, in docusaurus.config.js\n\
               scripts: [{ src: \"https://host/inflight/element.js\", async: true }],\n\n\
               {/* in a page, between blank lines */}\n{element}",
    },
    Host {
        key: "hugo",
        code: "<!-- once, in layouts/shortcodes/html.html -->\n{{ .Inner }}\n\n\
               <!-- in a page -->\n{{< html >}}\n\
               <script src=\"https://host/inflight/element.js\" async></script>\n\
               {element}\n{{< /html >}}",
    },
    Host { key: "frame", code: "{frame}" },
];
