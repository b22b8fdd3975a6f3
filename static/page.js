// Pages of our own: the engine on its way, the theme button, the copy buttons, the run that an
// address names, and progress on its way where there is some.
(() => {
  const script = document.currentScript;
  // The engine and the exhibit are asked for before the loader asks, behind everything that is seen.
  // Readers without scripts, who have no use for them, are spared the bytes.
  const wanted = location.protocol === "file:" ? "" : script.dataset.ahead || "";
  for (const href of wanted.split(" ").filter(Boolean)) {
    const link = document.createElement("link");
    link.href = href;
    link.fetchPriority = "low";
    if (href.endsWith(".js")) {
      link.rel = "modulepreload";
    } else {
      link.rel = "preload";
      link.as = "fetch";
      link.crossOrigin = "anonymous";
    }
    document.head.append(link);
  }

  // Progress has a module of its own, which is fetched where there is something to keep or to show.
  const address = new URL(script.dataset.progress, location.href).href;
  // One promise for all, so that what is told is noted in the order of its telling.
  let asked;
  const progress = () => (asked ??= import(address).catch((error) => {
    asked = undefined;
    throw error;
  }));
  for (const type of ["progress", "complete", "answer"]) {
    document.addEventListener("inflight-" + type, ({ type, target, detail }) => {
      if (type === "inflight-progress" && !detail?.ended) return;
      progress().then(({ note }) => note({ type, target, detail }), () => {});
    });
  }
  const hasProgress = () => {
    try {
      return localStorage.getItem("inflight-progress") !== null;
    } catch {
      return false;
    }
  };

  const order = ["auto", "light", "dark"];
  const root = document.documentElement;
  let theme = "auto";
  // Storage may be forbidden: the choice then lasts as long as the page.
  const kept = (write) => {
    try {
      if (write) localStorage.setItem("inflight-theme", theme);
      return localStorage.getItem("inflight-theme");
    } catch {
      return null;
    }
  };
  const query = new URLSearchParams(location.search);
  const chosen = query.get("theme") || kept();
  if (order.includes(chosen)) theme = chosen;

  const apply = () => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.hidden = false;
      button.setAttribute("aria-label", button.dataset[theme]);
      button.title = button.dataset[theme];
    }
  };
  apply();

  addEventListener("DOMContentLoaded", () => {
    apply();
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.addEventListener("click", () => {
        theme = order[(order.indexOf(theme) + 1) % order.length];
        kept(true);
        apply();
      });
    }
    for (const button of document.querySelectorAll("[data-copy]")) {
      if (!navigator.clipboard) continue;
      button.hidden = false;
      const label = button.textContent;
      button.addEventListener("click", async () => {
        const code = button.closest("figure").querySelector("code");
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = button.dataset.copied;
        setTimeout(() => (button.textContent = label), 2000);
      });
    }
    if (hasProgress() || document.querySelector(".course[data-module]")) progress().catch(() => {});
    // The stop of the section that is being read.
    const stops = [...document.querySelectorAll(".course__stops a")];
    const sections = stops.map((stop) => document.getElementById(stop.hash.slice(1)));
    const follow = () => {
      const read = sections.filter((section) => section.getBoundingClientRect().top < innerHeight * 0.3);
      stops.forEach((stop, i) => {
        const here = i === read.length - 1;
        stop.parentElement.classList.toggle("is-here", here);
        if (here) stop.setAttribute("aria-current", "location");
        else stop.removeAttribute("aria-current");
      });
    };
    // Whatever has passed the upper part of the window counts, however fast it went by.
    const margin = { rootMargin: "9999999px 0px -70% 0px" };
    const watch = new IntersectionObserver(follow, margin);
    for (const section of sections) watch.observe(section);
    // On paper an exhibit is its still, whatever it shows on the screen.
    addEventListener("beforeprint", () => {
      for (const still of document.querySelectorAll("in-flight > .still")) {
        const copy = still.cloneNode(true);
        copy.classList.add("still--paper");
        still.parentElement.after(copy);
      }
    });
    addEventListener("afterprint", () => {
      for (const copy of document.querySelectorAll(".still--paper")) copy.remove();
    });
    // A link to a run names it in the address of the exhibit's own page.
    const shown = document.querySelector("in-flight[data-address]");
    if (shown && query.has("run")) shown.setAttribute("run", query.get("run"));
    // Snippets are written with the address at which this page is read.
    for (const code of document.querySelectorAll("[data-here]")) {
      const here = new URL(code.dataset.here, location.href).href.replace(/\/$/, "");
      code.textContent = code.textContent.replaceAll("https://host/inflight", here);
    }
  });
})();
