// Pointing at a page in one list shows it in the others.
function mark(event) {
  const found = event.target.closest?.("[data-same]")?.dataset.same;
  for (const each of document.querySelectorAll("[data-same]")) each.classList.toggle("same", each.dataset.same === found);
}
document.addEventListener("pointerover", mark);
document.addEventListener("focusin", mark);
