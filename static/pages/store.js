// Progress, as it is kept on the device and as files hold it:
//
//   { "inflight": "progress", "version": 1,
//     "read": { "m1": ["two-purses"] },                        sections read, by module
//     "run": { "event-life": "2026-11-30" },                   exhibits run to the end, and when
//     "passed": { "m1-check": "2026-11-30" },                  quizzes passed, and when first
//     "quizzes": { "id": { "item": { "right": true, "tries": 2, "on": "2026-11-30" } } } }
//
// A quiz is an <in-flight> whose exhibit is the quiz's id. It fires `inflight-answer` with
// `{ item, right, tries }`, of which the last answer to each item is kept with its day, and at its end
// `inflight-complete` with `{ score, of, passed }`; an exhibit fires that without a detail. When an
// item is due again is known to the quiz, which keeps a book of its own.
import { readText, today, writeText } from "./storage.js";

const NAME = "inflight-progress";
const VERSION = 1;

export const empty = () => ({ inflight: "progress", version: VERSION, read: {}, run: {}, passed: {}, quizzes: {} });

// What is wrong with a file: where, and what belongs there; both are keys of the desk's words.
export class Wrong extends Error {
  constructor(key, path = "") {
    super(key + (path && " at " + path));
    this.key = key;
    this.path = path;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isId = (value) => typeof value === "string" && /^[a-z0-9][a-z0-9._-]{0,99}$/i.test(value);
const isDay = (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const isCount = (value) => Number.isSafeInteger(value) && value >= 0 && value < 10_000;
const MOST = 1000;

function must(holds, key, path) {
  if (!holds) throw new Wrong(key, path);
}

// The entries of an object whose keys are ids.
function entries(value, path) {
  must(isObject(value), "object", path);
  const all = Object.entries(value);
  must(all.length <= MOST, "many", path);
  for (const [key] of all) must(isId(key), "id", path + "." + key);
  return all;
}

// The same progress with nothing else in it; throws what is wrong with it.
export function checked(value) {
  must(isObject(value) && value.inflight === "progress", "kind", "");
  must(value.version === VERSION, "version", "version");
  const clean = empty();
  for (const [module, sections] of entries(value.read, "read")) {
    const path = "read." + module;
    must(Array.isArray(sections) && sections.length <= MOST, "list", path);
    must(sections.every(isId), "id", path);
    clean.read[module] = [...new Set(sections)];
  }
  for (const part of ["run", "passed"]) {
    for (const [exhibit, day] of entries(value[part], part)) {
      must(isDay(day), "day", part + "." + exhibit);
      clean[part][exhibit] = day;
    }
  }
  for (const [quiz, items] of entries(value.quizzes, "quizzes")) {
    clean.quizzes[quiz] = {};
    for (const [item, answer] of entries(items, "quizzes." + quiz)) {
      const path = "quizzes." + quiz + "." + item;
      must(isObject(answer) && typeof answer.right === "boolean", "answer", path);
      must(isCount(answer.tries) && isDay(answer.on), "answer", path);
      clean.quizzes[quiz][item] = { right: answer.right, tries: answer.tries, on: answer.on };
    }
  }
  return clean;
}

// The progress in a text; throws what is wrong with it.
export function parsed(text) {
  must(text.length < 1_000_000, "large", "");
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Wrong("json");
  }
  return checked(value);
}

// What is kept. Whatever cannot be read counts as nothing, and is left alone until there is more.
export function progress() {
  try {
    return parsed(readText(NAME) ?? "");
  } catch {
    return empty();
  }
}

// A newer edition of these pages may have kept what this one cannot read: it is not overwritten.
function isNewer() {
  try {
    return JSON.parse(readText(NAME)).version > VERSION;
  } catch {
    return false;
  }
}

const watchers = new Set();

// Calls `seen` now and whenever progress changes, here or in another window.
export function watch(seen) {
  watchers.add(seen);
  seen(progress());
}

function tell() {
  const now = progress();
  for (const seen of watchers) seen(now);
}

addEventListener("storage", ({ key }) => {
  if (key === NAME || key === null) tell();
});

// Changes progress; whether the device has kept it.
export function change(edit) {
  if (isNewer()) return false;
  const now = progress();
  edit(now);
  const kept = writeText(NAME, JSON.stringify(checked(now)));
  tell();
  return kept;
}

export function forget() {
  writeText(NAME, null);
  tell();
}

// Adds what a file holds to what is here: of two days of one thing the earlier, of two answers the later.
export function added(file) {
  return change((here) => {
    for (const [module, sections] of Object.entries(file.read)) {
      here.read[module] = [...new Set([...(here.read[module] ?? []), ...sections])];
    }
    for (const part of ["run", "passed"]) {
      for (const [exhibit, day] of Object.entries(file[part])) {
        const known = here[part][exhibit];
        here[part][exhibit] = known && known < day ? known : day;
      }
    }
    for (const [quiz, items] of Object.entries(file.quizzes)) {
      here.quizzes[quiz] ??= {};
      for (const [item, answer] of Object.entries(items)) {
        const known = here.quizzes[quiz][item];
        if (!known || known.on < answer.on) here.quizzes[quiz][item] = answer;
      }
    }
  });
}

// Notes what an exhibit or a quiz has told.
export function note({ type, target, detail }) {
  const id = target.getAttribute?.("exhibit");
  if (!isId(id)) return;
  const isQuiz = type === "inflight-complete" && typeof detail?.passed === "boolean";
  const ended = !isQuiz && (type === "inflight-complete" || (type === "inflight-progress" && detail?.ended === true));
  const part = ended ? "run" : isQuiz && detail.passed ? "passed" : "";
  if (part && !progress()[part][id]) change((here) => (here[part][id] = today()));
  if (type === "inflight-answer" && isId(detail?.item) && isCount(detail.tries)) {
    const { item, tries } = detail;
    change((here) => ((here.quizzes[id] ??= {})[item] = { right: detail.right === true, tries, on: today() }));
  }
}
