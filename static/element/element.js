// The element: a place in a page. It shows what stands between its tags until the exhibit runs, and
// again when it cannot.
const connected = new Set();

const nearby = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) if (entry.isIntersecting) entry.target.begin();
  },
  { rootMargin: "600px" },
);

// A map that nobody sees is not drawn: with another size it may be seen.
const sized = new ResizeObserver((entries) => {
  for (const entry of entries) entry.target.resized();
});

class InFlight extends HTMLElement {
  static observedAttributes = Object.keys(rules);
  #parts;
  #handle;
  #began = false;
  #turn = 0;
  #height = 0;
  #callers = [];

  connectedCallback() {
    this.#parts ||= this.#build();
    connected.add(this);
    sized.observe(this);
    this.paint();
    const { loading } = readAttributes(this).values;
    if (this.#began) return;
    if (loading === "eager" || this.#callers.length) this.begin();
    else if (loading === "click") {
      this.#style();
      this.#say(make("div", "waiting", button("btn btn--go", say("run"), () => this.begin())));
    } else nearby.observe(this);
  }

  // A stylesheet is asked for when there is something to style, not for every element of a page.
  #style(name = "css") {
    const sheet = this.#parts[name];
    return (sheet.styled ||= new Promise((done) => {
      sheet.onload = sheet.onerror = done;
      sheet.href = base + assets[name];
    }));
  }

  // Whatever a first picture can do without.
  #rest() {
    const { lang } = readAttributes(this).values;
    return Promise.all([fetchRest(), getJson(base + catalogueOf(lang)[1], "network"), this.#style("later")]);
  }

  // A move inside the page disconnects and connects at once: only what stays away is taken down.
  async disconnectedCallback() {
    await null;
    if (this.isConnected) return;
    nearby.unobserve(this);
    connected.delete(this);
    sized.unobserve(this);
    this.#stop();
  }

  resized() {
    if (this.#handle) this.#handle.set("size");
  }

  attributeChangedCallback(name, old, value) {
    if (!this.#parts || !this.isConnected || old === value) return;
    this.paint();
    if (!this.#began) return;
    if (/^(exhibit|src|lang)$/.test(name)) {
      this.#stop();
      this.begin();
      return;
    }
    const { values } = readAttributes(this);
    this.#sayNotices();
    if (this.#handle) this.#handle.set(name, values[name]);
  }

  // The stable face for scripts: whatever changes inside, version 1 keeps these names.
  api(version) {
    if (version !== 1) throw new RangeError("in-flight: api(1) is the only version");
    const ready = () =>
      new Promise((resolve, reject) => {
        if (this.#handle) return resolve(this.#handle);
        this.#callers.push({ resolve, reject });
        if (this.isConnected) this.begin();
      });
    const face = { load: async () => void (await ready()) };
    for (const name of ["play", "pause", "step", "seek", "reset", "getState", "setState", "snapshot", "trace"]) {
      face[name] = async (...given) => {
        const handle = await ready();
        const rest = this.#rest().catch(() => {});
        // The first moments of playing need no more than a first picture.
        if (name !== "play") await rest;
        return handle.call(name, given);
      };
    }
    return Object.freeze(face);
  }

  async begin() {
    nearby.unobserve(this);
    if (this.#began) return;
    this.#began = true;
    const styled = this.#style();
    const turn = ++this.#turn;
    const { values } = readAttributes(this);
    this.#say();
    try {
      const [module, exhibit, catalogue] = await Promise.all([
        loadEngine(),
        loadExhibit(values),
        loadCatalogue(values.lang),
        styled,
      ]);
      // A run that a reader was sent may hold anything that can be done to one.
      const sent = new URLSearchParams(location.search).has("run");
      if (sent || !assets.light.includes(values.exhibit)) await this.#rest();
      else if ("autoplay" in values) this.#rest().catch(() => {});
      const others = {};
      // What is not played has a stylesheet of its own, and runs of other exhibits.
      if (/^(quiz|tree|sheet)$/.test(exhibit.kind)) {
        this.#style("study");
        for (const id of module.needs(exhibit)) {
          others[id] = await loadExhibit({ exhibit: id });
        }
      }
      // Meanwhile it may have been taken away, or been given another exhibit.
      if (turn !== this.#turn) return;
      const root = make("div");
      this.#parts.stage.replaceChildren(root);
      const attributes = readAttributes(this).values;
      const more = (key) => getJsonNow(catalogueOf(values.lang)[1])[key];
      this.#handle = module.mount(root, { exhibit, others, id: values.src ?? values.exhibit, catalogue, more, attributes, host: this, base });
      this.#parts.slot.hidden = true;
      this.#sayNotices();
      for (const { resolve } of this.#callers.splice(0)) resolve(this.#handle);
    } catch (error) {
      const panic = window.WebAssembly && error instanceof WebAssembly.RuntimeError;
      const failure = await settle(error, panic ? "panic" : "bad-exhibit", "mount");
      if (turn === this.#turn) this.fail(failure);
    }
  }

  // Says what went wrong and what to do, above the fallback, and leaves the rest of the page alone.
  fail(failure) {
    if (!this.#began) return;
    this.#stop();
    this.#say(failureNotice(failure, () => this.begin()));
    for (const { reject } of this.#callers.splice(0)) reject(failure);
    this.#tell("error", { code: failure.code, message: failure.message });
  }

  // Theme, text size and ground, as the attributes or the page around have them.
  paint() {
    const { shell, gauge } = this.#parts;
    const { theme, frame, height, ratio } = readAttributes(this).values;
    shell.dataset.theme = themeOf(this, theme);
    shell.style.setProperty("--rem", getComputedStyle(gauge).fontSize);
    shell.style.setProperty("--paper", /clear|none/.test(frame) ? groundOf(this) || "Canvas" : "");
    if (height) this.style.minBlockSize = parseInt(height, 10) + "px";
    if (ratio) this.style.aspectRatio = ratio.replace(":", "/");
  }

  #build() {
    const shadow = this.attachShadow({ mode: "open" });
    const sheets = {};
    for (const name of ["css", "later", "study"]) (sheets[name] = make("link")).rel = "stylesheet";
    const gauge = make("i");
    gauge.hidden = true;
    gauge.style.font = "medium sans-serif";
    const above = make("div", "failure");
    const stage = make("div");
    const shell = make("div", "inflight", above, stage);
    const slot = make("slot");
    shadow.append(...Object.values(sheets), gauge, shell, slot);
    // Until the stylesheet is asked for, this much must hold for the fallback and for the height.
    const first = new CSSStyleSheet();
    first.replaceSync(":host{display:block}:host([hidden]){display:none}");
    shadow.adoptedStyleSheets = [first];
    // A page that turns its chapters by the arrow keys (mdBook) must not do so from in here.
    shadow.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
    });
    for (const reach of ["pointerover", "pointerdown", "focusin"]) {
      shell.addEventListener(reach, () => this.#rest().catch(() => {}), { passive: true });
    }
    new ResizeObserver(([{ contentRect }]) => {
      const px = Math.ceil(contentRect.height);
      if (Math.abs(px - this.#height) < 2) return;
      this.#height = px;
      this.#tell("height", { px });
    }).observe(this);
    return { ...sheets, gauge, above, stage, shell, slot };
  }

  #sayNotices() {
    const lines = readAttributes(this).notices.map(noticeText);
    this.#say(...(lines.length ? [attributeNotice(lines)] : []));
    if (lines.length) this.#tell("error", { code: "bad-param", message: lines.join("\n") });
  }

  // What the element itself has to say, above the exhibit or its fallback.
  #say(...nodes) {
    this.#parts.above.replaceChildren(...nodes);
  }

  #stop() {
    this.#turn += 1;
    this.#began = false;
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      if (handle) handle.destroy();
    } catch {
      // After a panic there is nothing left to take down.
    }
    this.#parts.stage.replaceChildren();
    this.#parts.slot.hidden = false;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent("inflight-" + type, { bubbles: true, composed: true, detail }));
  }
}

customElements.define("in-flight", InFlight);
