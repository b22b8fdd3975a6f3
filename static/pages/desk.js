// The page of progress: how far one is, to take along, to bring back, to forget.
import { keeps, save, today, twice } from "./storage.js";
import { added, forget, parsed, progress, watch } from "./store.js";

const desk = document.querySelector("[data-desk]");
const words = JSON.parse(desk.dataset.desk);
const status = desk.querySelector("[role=status]");
const fill = (key, names = {}) => words[key].replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole);

// The same sentence twice in a row is told twice.
const say = (text) => {
  status.textContent = "";
  setTimeout(() => (status.textContent = text), 50);
};

watch(({ read, run, passed, quizzes }) => {
  for (const row of desk.querySelectorAll("[data-module]")) {
    const { module, stops, exhibits, quizzes: studies } = row.dataset;
    const cell = (name, ids, done) => {
      const all = ids.split(" ").filter(Boolean);
      const count = all.filter((id) => done(id)).length;
      row.querySelector("[data-cell=" + name + "]").textContent = fill("of", { count, all: all.length });
      return count === all.length;
    };
    const known = read[module] ?? [];
    const whole = cell("read", stops, (id) => known.includes(id));
    const ran = cell("run", exhibits, (id) => run[id]);
    const right = cell("quizzes", studies, (id) => passed[id]);
    row.classList.toggle("is-done", whole && ran && right);
  }
  const answers = Object.values(quizzes).flatMap((items) => Object.values(items));
  const right = answers.filter((answer) => answer.right).length;
  const quiz = desk.querySelector("[data-answers]");
  quiz.hidden = !answers.length;
  quiz.textContent = fill("answers", { right, answers: answers.length });
});

desk.querySelector("[data-acts]").hidden = false;
if (!keeps()) desk.querySelector("[data-lost]").hidden = false;

desk.querySelector("[data-do=export]").addEventListener("click", () => {
  save("inflight-progress-" + today() + ".json", "application/json", JSON.stringify(progress(), null, 2) + "\n");
  say(fill("exported"));
});

const file = desk.querySelector("input[type=file]");
file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  try {
    const kept = added(parsed(await chosen.text()));
    say(fill(kept ? "imported" : "imported.not-kept"));
  } catch (wrong) {
    if (!wrong.key) throw wrong;
    say(fill("wrong", { file: chosen.name, wants: fill("wants." + wrong.key, { path: wrong.path }) }));
  }
  file.value = "";
});

twice(desk.querySelector("[data-do=clear]"), () => {
  forget();
  say(fill("cleared"));
});
