// The frame face: an exhibit in a page of its own, and the messages it exchanges with the page
// around. What goes to everybody is a greeting and a height; what a learner does goes only to the
// origin that the address of the frame names.
(() => {
  const query = new URLSearchParams(location.search);
  const around = window.parent === window ? null : window.parent;
  const home = originOf(query.get("origin"));
  const frame = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  const main = document.querySelector("main");
  const element = document.createElement("in-flight");
  let seq = 0;

  function originOf(text) {
    try {
      const { origin } = new URL(text);
      return origin === "null" ? null : origin;
    } catch {
      return null;
    }
  }

  function post(type, data, target) {
    if (!around || !target) return;
    seq += 1;
    around.postMessage({ inflight: 1, type, frame, seq, data }, target);
  }

  // Only the vocabulary of the element gets through: an address must not be able to set a handler,
  // a style or an id. Keys that others add to addresses (utm_source) are no business of ours.
  const vocabulary = /^(?!on|style$|class$|id$|slot$|is$|hidden$)[a-z]+(-[a-z]+)*$/;
  for (const [key, value] of query) {
    if (key !== "origin" && key !== "resize" && vocabulary.test(key)) element.setAttribute(key, value);
  }
  // A frame is a document of its own: the exhibit is all of it, and its title the first heading.
  for (const [name, value] of [["loading", "eager"], ["heading-level", "1"]]) {
    if (!element.hasAttribute(name)) element.setAttribute(name, value);
  }
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  if (!query.has("exhibit") && !query.has("src")) {
    main.querySelector("[data-none]").hidden = false;
  } else {
    main.append(element);
  }

  const title = query.get("label") || query.get("exhibit") || document.title;
  document.title = title;

  // Height: once a frame, not for less than two pixels, and not for ever between two values, which
  // is what happens when the page around changes our width because of the height we told it.
  let told = 0;
  let before = 0;
  let alternations = 0;
  let asked = 0;
  function tellHeight() {
    asked = 0;
    const px = Math.ceil(main.getBoundingClientRect().height);
    if (Math.abs(px - told) < 2 || alternations >= 5) return;
    alternations = Math.abs(px - before) < 2 ? alternations + 1 : 0;
    before = told;
    told = px;
    post("height", { px }, "*");
    if (!around) return;
    around.postMessage(JSON.stringify({ src: location.href, context: "iframe.resize", height: px }), "*");
    around.postMessage(JSON.stringify({ subject: "lti.frameResize", height: px }), "*");
  }
  if (query.get("resize") !== "off") {
    new ResizeObserver(() => (asked ||= requestAnimationFrame(tellHeight))).observe(main);
  }

  for (const name of ["ready", "progress", "answer", "complete", "xapi", "error"]) {
    element.addEventListener("inflight-" + name, ({ detail }) => {
      let plain;
      try {
        plain = JSON.parse(JSON.stringify(detail ?? null));
      } catch {
        return;
      }
      post("event", { name: "inflight-" + name, detail: plain }, home);
    });
  }

  const settings = /^(theme|lang|speed|motion|controls|frame)$/;
  function set(name, value) {
    if (!settings.test(name) || typeof value !== "string") return;
    element.setAttribute(name, value);
    if (name === "theme" && value !== "auto") document.documentElement.dataset.theme = value;
    if (name === "theme" && value === "auto") delete document.documentElement.dataset.theme;
  }

  async function command({ method, args }, asked) {
    const answer = { seq: asked };
    try {
      const face = element.api(1);
      if (!Object.hasOwn(face, method)) throw new Error("no such method");
      answer.result = await face[method](...(Array.isArray(args) ? args : []));
    } catch (error) {
      answer.error = String((error && error.message) || error);
    }
    post("reply", answer, home);
  }

  addEventListener("message", (event) => {
    const { data, source, origin } = event;
    if (!around || source !== around || (home && origin !== home)) return;
    if (typeof data !== "object" || data === null || data.inflight !== 1) return;
    const given = typeof data.data === "object" && data.data !== null ? data.data : {};
    if (data.type === "welcome") {
      for (const name of ["theme", "lang"]) if (!query.has(name)) set(name, given[name]);
    } else if (data.type === "set") {
      set(given.name, given.value);
    } else if (data.type === "cmd" && home) {
      command(given, data.seq);
    }
  });

  post("hello", { version: 1, title, minHeight: 240 }, "*");
})();
