// The builder of snippets: what is chosen is shown as a guest page would show it, and written into
// the snippet of every kind of page.
const place = document.querySelector("[data-builder]");
const form = place.querySelector("form");
const heard = place.querySelector(".builder__heard");
const root = new URL(place.dataset.root, location.href).href;
let shown = place.querySelector("in-flight");

// What an element can be told while it runs; for any other change another one takes its place.
const LIVE = /^(label|speed|controls|frame|theme|heading-level|motion)$/;
const LINES = 12;

const chosen = () => form.elements.exhibit.selectedOptions[0];
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

// The attributes that were asked for and that count for what is shown.
function attributes() {
  const asked = [["exhibit", chosen().value]];
  for (const field of form.querySelectorAll("[data-for]")) {
    const { name, value } = field.querySelector("input, select");
    if (!field.hidden && value.trim()) asked.push([name, value.trim()]);
  }
  return asked;
}

function element(asked) {
  const { value, textContent } = chosen();
  const written = asked.map(([name, value]) => " " + name + '="' + escaped(value) + '"').join("");
  const link = '  <a href="' + root + "exhibits/" + value + '/">' + escaped(textContent.trim()) + "</a>";
  return ["<in-flight" + written + ">", link, "</in-flight>"].join("\n");
}

function frame(asked) {
  const { label, height, ...rest } = Object.fromEntries(asked);
  // A frame is loaded by its own attribute, and is as high as its page makes it.
  delete rest.loading;
  delete rest.ratio;
  const query = new URLSearchParams(rest);
  if (label) query.set("label", label);
  const lines = [
    '<iframe src="' + escaped(root + "embed.html?" + query) + '"',
    '  title="' + escaped(label || chosen().textContent.trim()) + '" width="100%" height="' + (parseInt(height, 10) || 720) + '"',
    '  loading="lazy" allowfullscreen',
    '  sandbox="allow-scripts allow-same-origin allow-popups allow-downloads"></iframe>',
  ];
  return lines.join("\n");
}

function write() {
  const kind = chosen().dataset.kind;
  for (const field of form.querySelectorAll("[data-for]")) {
    field.hidden = !field.dataset.for.split(" ").includes(kind);
  }
  const asked = attributes();
  const [tag, box] = [element(asked), frame(asked)];
  for (const host of place.querySelectorAll("[data-host]")) {
    host.hidden = host.dataset.host !== form.elements.where.value;
    const code = host.querySelector("code");
    const text = code.textContent.replaceAll("https://host/inflight/", root);
    code.textContent = text
      .replace(/<in-flight [^]*<\/in-flight>/, () => tag)
      .replace(/<iframe [^]*<\/iframe>/, () => box);
  }
}

function show() {
  const asked = new Map(attributes());
  const names = new Set([...asked.keys(), ...shown.getAttributeNames()]);
  const changed = [...names].filter((name) => shown.getAttribute(name) !== (asked.get(name) ?? null));
  if (!changed.length) return;
  if (changed.every((name) => LIVE.test(name))) {
    for (const name of changed) {
      if (asked.has(name)) shown.setAttribute(name, asked.get(name));
      else shown.removeAttribute(name);
    }
    return;
  }
  const fresh = document.createElement("in-flight");
  for (const [name, value] of asked) fresh.setAttribute(name, value);
  const link = document.createElement("a");
  link.href = root + "exhibits/" + asked.get("exhibit") + "/";
  link.textContent = chosen().textContent.trim();
  fresh.append(link);
  heard.querySelector("code").textContent = "";
  shown.replaceWith(fresh);
  shown = fresh;
}

function hear({ type, target, detail }) {
  if (target !== shown) return;
  const code = heard.querySelector("code");
  const lines = code.textContent.split("\n").filter(Boolean);
  lines.push(type + (detail ? " " + JSON.stringify(detail) : ""));
  code.textContent = lines.slice(-LINES).join("\n");
  heard.hidden = false;
}

for (const type of ["ready", "height", "progress", "answer", "complete", "error"]) {
  place.addEventListener("inflight-" + type, hear);
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", write);
form.addEventListener("change", show);
form.hidden = false;
write();
