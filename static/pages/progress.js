// Progress in the navigation: which sections of a module were read, and how far the course is.
import { change, note, watch } from "./store.js";

export { note };

const fill = (text, names) => text.replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole);

// The line of modules in the bar.
const bar = document.querySelector(".site-progress");
if (bar) {
  watch(({ read, run, passed, quizzes }) => {
    const modules = [...bar.querySelectorAll("[data-module]")];
    const done = modules.filter((mark) => {
      const count = (read[mark.dataset.module] ?? []).length;
      const whole = count >= Number(mark.dataset.stops);
      mark.className = whole ? "is-done" : count ? "is-begun" : "";
      return whole;
    });
    bar.hidden = ![read, run, passed, quizzes].some((part) => Object.keys(part).length);
    const said = fill(bar.dataset.label, { done: done.length, all: modules.length });
    bar.setAttribute("aria-label", said);
    bar.title = said;
  });
}

// The stops of the module that is open.
const course = document.querySelector(".course[data-module]");
if (course) stops(course.dataset.module);

function stops(module) {
  const links = [...course.querySelectorAll(".course__stops a")];
  const said = course.querySelector(".course__note span");
  // Each once, by id. What is answered says so between its tags, and worksheets are not counted.
  const ids = (which) => [...new Set([...document.querySelectorAll("main in-flight" + which)].map((one) => one.getAttribute("exhibit")))];
  const exhibits = ids(":not(:has(.still-quiz__open, .still-sheet))");
  const studies = ids(":has(.still-quiz__open)");
  // How long each section that is not yet read has been in sight, by its anchor.
  const waiting = new Map();

  watch(({ read, run, passed, quizzes }) => {
    const known = read[module] ?? [];
    let count = 0;
    for (const link of links) {
      const id = link.hash.slice(1);
      const done = known.includes(id);
      count += done;
      link.parentElement.classList.toggle("is-done", done);
      link.querySelector(".visually-hidden").hidden = !done;
      if (done) waiting.delete(id);
      else if (!waiting.has(id)) waiting.set(id, 0);
    }
    const answers = studies.flatMap((id) => Object.values(quizzes[id] ?? {}));
    const names = { read: count, stops: links.length, exhibits: exhibits.length, quizzes: studies.length };
    names.ran = exhibits.filter((id) => run[id]).length;
    names.passed = studies.filter((id) => passed[id]).length;
    names.right = answers.filter((answer) => answer.right).length;
    names.answers = answers.length;
    const parts = [["read", links], ["ran", exhibits], ["passed", studies], ["answered", answers]];
    const told = parts.filter(([, all]) => all.length).map(([key]) => fill(course.dataset[key], names));
    said.textContent = told.join(" ");
    said.parentElement.hidden = false;
  });

  // A section is read when its end has been in sight, and it for as long as skimming it takes: to jump
  // past is not to read. Time counts for one section at once, the first that is not yet read. Looking
  // twice a second costs nothing and misses nothing.
  const STEP = 500;
  const LEAST = 2000;
  const WORDS_A_SECOND = 25;
  const look = () => {
    if (document.hidden) return;
    for (const [id, seen] of waiting) {
      const section = document.getElementById(id).closest("section");
      const { top, bottom } = section.getBoundingClientRect();
      if (top > innerHeight * 0.8 || bottom < innerHeight * 0.2) continue;
      const words = [...section.querySelectorAll(".prose")].map((prose) => prose.textContent).join(" ");
      const enough = Math.max(LEAST, (words.split(/\s+/).length / WORDS_A_SECOND) * 1000);
      waiting.set(id, seen + STEP);
      if (bottom <= innerHeight && seen + STEP >= enough) {
        change(({ read }) => (read[module] = [...new Set([...(read[module] ?? []), id])]));
      }
      return;
    }
  };
  setInterval(look, STEP);
}
