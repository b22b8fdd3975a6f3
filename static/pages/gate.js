// The gate: what was ticked and written is kept on the device, judged, and taken along.
import { keeps, readText, save, today, twice, writeText } from "./storage.js";

const NAME = "inflight-gate";
const form = document.querySelector("[data-gate]");
const checks = [...form.querySelectorAll("[data-check]")];
const field = (name) => form.elements.namedItem(name);
const one = (place, selector) => place.querySelector(selector);

// Words that stand where evidence should.
const LATER = /\b(later|soon|planned|tbd|next (?:week|month|quarter|sprint|release|year))\b/i;

function restore() {
  let kept;
  try {
    kept = JSON.parse(readText(NAME)) ?? {};
  } catch {
    kept = {};
  }
  const text = (value) => (typeof value === "string" ? value : "");
  field("design").value = text(kept.design);
  for (const { dataset: { check } } of checks) {
    const { seen, where } = kept.checks?.[check] ?? {};
    field(check).checked = seen === true;
    field(check + "-where").value = text(where);
  }
}

function keep() {
  const filled = {};
  for (const { dataset: { check } } of checks) {
    filled[check] = { seen: field(check).checked, where: field(check + "-where").value };
  }
  writeText(NAME, JSON.stringify({ version: 1, design: field("design").value, checks: filled }));
}

// How one check stands: whether it has evidence, and what is to be said against it.
function judged(check) {
  const id = check.dataset.check;
  const seen = field(id).checked;
  const where = field(id + "-where").value.trim();
  const { doubt, empty } = one(check, ".gate__doubt").dataset;
  const later = LATER.exec(where);
  if (later) return { seen, holds: false, doubt: doubt.replace("{word}", later[0]) };
  if (seen && where.length < 3) return { seen, holds: false, doubt: empty };
  return { seen, holds: seen, doubt: "" };
}

const stands = one(form, ".gate__stands");

function judge() {
  const decides = [];
  for (const check of checks) {
    const found = judged(check);
    const said = one(check, ".gate__doubt");
    said.hidden = !found.doubt;
    said.textContent = found.doubt;
    if (check.closest("[data-gating]")) decides.push(found);
  }
  const all = decides.length;
  const done = decides.filter((found) => found.holds).length;
  const doubts = decides.filter((found) => found.seen && !found.holds).length;
  const how = done === all ? "passed" : doubts ? "blocked" : "open";
  const [verdict, ...rest] = stands.dataset[how].split(": ");
  const text = rest.join(": ").replaceAll("{all}", all).replace("{done}", done).replace("{doubts}", doubts);
  const plate = one(stands, ".plate");
  plate.className = "plate" + { passed: "", blocked: " plate--broken", open: " plate--unknown" }[how];
  // A status is told when it changes, and not with every letter.
  if (plate.textContent !== verdict) plate.textContent = verdict;
  if (one(stands, "span").textContent !== text) one(stands, "span").textContent = text;
}

function markdown() {
  const lines = ["# " + document.querySelector("h1").textContent + ": " + (field("design").value.trim() || "…"), ""];
  lines.push(today() + ". " + one(stands, ".plate").textContent + ": " + one(stands, "span").textContent);
  let section;
  for (const check of checks) {
    const part = check.closest("section");
    if (part !== section) lines.push("", "## " + one(part, "h2").textContent, "");
    section = part;
    const { holds, doubt } = judged(check);
    const where = field(check.dataset.check + "-where").value.trim().replace(/\s*\n\s*/g, "; ");
    const tail = [where, doubt && "(" + doubt + ")"].filter(Boolean).join(" ");
    lines.push("- [" + (holds ? "x" : " ") + "] " + one(check, "h3").textContent + (tail && ": " + tail));
  }
  return lines.join("\n") + "\n";
}

const acts = {
  save: () => save("review-gate-" + today() + ".md", "text/markdown", markdown()),
  print: () => print(),
  async copy(button) {
    const label = button.textContent;
    await navigator.clipboard.writeText(markdown());
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = label), 2000);
  },
};

restore();
judge();
stands.hidden = false;
one(form, ".gate__acts").hidden = false;
const kept = one(form, ".gate__kept");
kept.hidden = false;
kept.textContent = keeps() ? kept.dataset.kept : kept.dataset.lost;
form.addEventListener("input", () => {
  keep();
  judge();
});
form.addEventListener("submit", (event) => event.preventDefault());
for (const button of form.querySelectorAll("[data-do]")) {
  const act = acts[button.dataset.do];
  if (button.dataset.do === "copy" && !navigator.clipboard) button.hidden = true;
  if (act) button.addEventListener("click", () => act(button));
}
twice(one(form, "[data-do=clear]"), () => {
  writeText(NAME, null);
  restore();
  judge();
});
