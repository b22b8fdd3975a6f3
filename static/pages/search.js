// Search: an index that is fetched here and nowhere else, matched by the beginnings of words.
const form = document.querySelector("[data-search]");
const input = form.querySelector("input");
const status = document.querySelector("[data-found]");
const list = document.querySelector("[data-results]");
const { index: address, root, count, one: single, none, many, failed } = form.dataset;
const kinds = JSON.parse(form.dataset.kinds);
const MOST = 40;

// What is compared: small letters without accents, and one kind of apostrophe. Each letter stays in
// its place, so that what is found can be marked in the text as it was written.
const plain = (text) =>
  [...text].map((letter) => {
    const bare = letter.normalize("NFD")[0].toLowerCase();
    return bare.length === letter.length ? bare : letter;
  }).join("").replace(/’/g, "'");

const SMALL = new Set("a an and are as at be by do does for from how i in is it of on or the to what when which who why with".split(" "));

function wanted(query) {
  const words = plain(query).match(/[\p{L}\p{N}]+(?:[-'][\p{L}\p{N}]+)*/gu) ?? [];
  const telling = words.filter((word) => !SMALL.has(word));
  return telling.length ? telling : words;
}

// Where a word of the text begins with `word`, as places; nothing if none does.
function places(text, word) {
  const found = [];
  for (let at = text.indexOf(word); at >= 0 && found.length < 20; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) found.push(at);
  }
  return found;
}

let ready;
function entries() {
  ready ??= fetch(address)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
    .then((all) => all.map(([kind, title, where, path, text]) => ({
      kind, title, where, path, text, plainTitle: plain(title), plainText: plain(text),
    })));
  ready.catch(() => (ready = undefined));
  return ready;
}

function score(entry, words) {
  const { weight, title } = kinds[entry.kind];
  let sum = weight + (entry.plainTitle === words.join(" ") ? 50 : 0);
  for (const word of words) {
    const inTitle = places(entry.plainTitle, word).length;
    const inText = places(entry.plainText, word).length;
    if (!inTitle && !inText) return 0;
    sum += (inTitle ? title : 0) + Math.min(inText, 4);
  }
  return sum;
}

function search(all, query) {
  const words = wanted(query);
  if (!words.length) return { words, found: [] };
  const scored = all.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
  scored.sort((a, b) => b[0] - a[0]);
  return { words, found: scored.map(([, entry]) => entry) };
}

function make(tag, name, ...children) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...children);
  return node;
}

// A text with the beginnings that were asked for marked.
function marked(text, plainText, words) {
  const spans = words.flatMap((word) => places(plainText, word).map((at) => [at, at + word.length]));
  spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const nodes = [];
  let end = 0;
  for (const [from, to] of spans) {
    if (from < end) continue;
    nodes.push(text.slice(end, from), make("mark", "", text.slice(from, to)));
    end = to;
  }
  return [...nodes, text.slice(end)];
}

const LONG = 200;
function excerpt({ text, plainText }, words) {
  const first = Math.min(...words.map((word) => places(plainText, word)[0] ?? Infinity));
  let from = first === Infinity ? 0 : Math.max(0, first - 60);
  if (from > 0) from = text.indexOf(" ", from) + 1;
  const to = text.length - from <= LONG ? text.length : text.lastIndexOf(" ", from + LONG);
  const cut = marked(text.slice(from, to), plainText.slice(from, to), words);
  return [from > 0 ? "… " : "", ...cut, to < text.length ? " …" : ""];
}

function result(entry, words) {
  const link = make("a", "", ...marked(entry.title, entry.plainTitle, words));
  link.href = root + entry.path;
  const where = [kinds[entry.kind].name, entry.where].filter(Boolean).join(" · ");
  return make("li", "result", make("h2", "", link), make("p", "result__where", where), make("p", "", ...excerpt(entry, words)));
}

let turn = 0;
async function show() {
  const mine = ++turn;
  const query = input.value.trim();
  const here = new URL(location.href);
  if (query) here.searchParams.set("q", query);
  else here.searchParams.delete("q");
  history.replaceState(null, "", here);
  let all;
  try {
    all = await entries();
  } catch {
    if (mine === turn) status.textContent = failed;
    return;
  }
  if (mine !== turn) return;
  const { words, found } = search(all, query);
  list.replaceChildren(...found.slice(0, MOST).map((entry) => result(entry, words)));
  const said = !words.length ? "" : !found.length ? none : found.length === 1 ? single : found.length > MOST ? many : count;
  status.textContent = said.replace("{n}", found.length).replace("{most}", MOST).replace("{query}", query);
}

let timer = 0;
input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, 200);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  show();
});
form.hidden = false;
input.value = new URLSearchParams(location.search).get("q") ?? "";
if (input.value) show();
else entries().catch(() => {});
// The page is for nothing else, and whoever comes back to a list wants the list.
if (!input.value) input.focus();
