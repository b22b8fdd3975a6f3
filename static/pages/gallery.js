// The filter of the gallery: module, kind and part together, kept in the address, the number told.
const form = document.querySelector("[data-gallery]");
const links = document.querySelector(".filter");
const groups = [...document.querySelectorAll("[data-module]")];
const cards = groups.flatMap((group) => [...group.querySelectorAll("[data-kind]")]);
const count = form.querySelector("[data-count]");
const fields = ["module", "kind", "has"].map((name) => form.elements.namedItem(name));

// What an address asks for. The links of those without a script lead to a module by its anchor.
function read() {
  const asked = new URLSearchParams(location.search);
  const anchor = location.hash.replace(/^#(module-)?/, "");
  for (const field of fields) {
    const value = asked.get(field.name) ?? (field.name === "module" ? anchor : "");
    field.value = value;
    // What is not on offer asks for nothing.
    if (field.selectedIndex < 0) field.value = "";
  }
}

function show() {
  const [module, kind, has] = fields.map((field) => field.value);
  for (const group of groups) {
    const here = !module || group.dataset.module === module;
    let some = false;
    for (const card of group.querySelectorAll("[data-kind]")) {
      const fits = here && (!kind || card.dataset.kind === kind) && (!has || card.dataset.has.split(" ").includes(has));
      card.hidden = !fits;
      some ||= fits;
    }
    group.hidden = !some;
  }
  const shown = cards.filter((card) => !card.hidden).length;
  const { one, many, none } = form.dataset;
  const said = shown === 0 ? none : shown === 1 ? one : many;
  count.textContent = said.replace("{n}", shown).replace("{of}", cards.length);
}

function keep() {
  const asked = new URLSearchParams(location.search);
  for (const { name, value } of fields) {
    if (value) asked.set(name, value);
    else asked.delete(name);
  }
  const query = asked.toString();
  history.replaceState(null, "", location.pathname + (query && "?" + query));
}

form.hidden = false;
links.hidden = true;
// An anchor no longer hides the other modules by the stylesheet.
document.querySelector(".filtered").classList.remove("filtered");
// A browser that comes back puts its own choices into the fields; the address counts.
form.autocomplete = "off";
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => {
  keep();
  show();
});
form.addEventListener("reset", () => {
  setTimeout(() => {
    keep();
    show();
  });
});
for (const type of ["popstate", "hashchange", "pageshow"]) {
  addEventListener(type, () => {
    read();
    show();
  });
}
read();
if (location.hash) keep();
show();
