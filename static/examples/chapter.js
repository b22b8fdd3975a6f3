// A book's own script: the arrow keys turn its chapters, a button changes its theme.
let turned = 0;
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") turned += 1;
  document.body.dataset.turned = String(turned);
});
document.querySelector("#theme").addEventListener("click", () => {
  document.body.classList.toggle("navy");
});
