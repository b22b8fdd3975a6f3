// Theme: `auto` follows the page. A page that says its colour scheme is believed; one that does not
// is judged by what is behind the exhibit.
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function groundOf(element) {
  for (let at = element; at; at = at.parentElement || (at.getRootNode().host ?? null)) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!/^(transparent|rgba\(.*, 0\))$/.test(colour)) return colour;
  }
  return "";
}

function themeOf(element, wanted) {
  if (wanted === "light" || wanted === "dark") return wanted;
  const says = getComputedStyle(element).colorScheme || "normal";
  const light = says.includes("light");
  if (says.includes("dark")) return light ? (prefersDark.matches ? "dark" : "light") : "dark";
  if (light) return "light";
  const parts = groundOf(element).match(/^rgba?\((\d+), (\d+), (\d+)/);
  return parts && parts[1] * 0.3 + parts[2] * 0.59 + parts[3] * 0.11 < 110 ? "dark" : "light";
}

// Pages switch their theme by an attribute or class on the root or the body.
function onThemeChange() {
  for (const element of connected) element.paint();
}
prefersDark.addEventListener("change", onThemeChange);
const pageWatch = new MutationObserver(() => requestAnimationFrame(onThemeChange));
for (const root of [document.documentElement, document.body]) {
  if (root) pageWatch.observe(root, { attributes: true });
}
