// What changes without a reload: a form or link marked data-live asks the server for the results alone (part=1), which
// replace those on the page. The address follows, so that a reload or a link shows the same. Without this file the same
// forms and links load whole pages.
import { moving } from "./flip.js";

const WAIT = 60; // ms after a movement of the slider before the server is asked, so that it is not asked in vain
document.documentElement.classList.add("js");
let asked, timer;

export async function show(address) {
  asked?.abort();
  const mine = (asked = new AbortController());
  const old = document.getElementById("results");
  old.setAttribute("aria-busy", "true");
  const part = new URL(address, location.href);
  part.searchParams.set("part", "1");
  try {
    const answer = await fetch(part, { signal: mine.signal });
    const text = await answer.text();
    if (mine !== asked) return;
    put(document.getElementById("results"), text, part.hash);
  } catch (error) {
    if (error.name === "AbortError") return;
    location.assign(address); // the browser says best what is wrong with the connection
  }
}

function put(old, text, hash) {
  // A parsed document runs no scripts; what comes from crawled pages was escaped by the server.
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const fresh = parsed.getElementById("results") ?? problem(parsed);
  const focus = document.activeElement?.closest?.("#results") ? document.activeElement.id : "";
  moving(old, () => old.replaceWith(fresh), fresh);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  if (fresh.dataset.state) {
    const state = new URL(fresh.dataset.state, location.href);
    state.hash = hash.startsWith("#why") ? "" : hash;
    history.replaceState(null, "", state);
    opened(state.searchParams);
  }
  document.dispatchEvent(new CustomEvent("shown", { detail: fresh }));
}

function problem(parsed) {
  const box = document.createElement("div");
  box.id = "results";
  box.append(...parsed.body.children);
  return box;
}

// The form sends along which evidence is open, as the address does.
function opened(parameters) {
  const form = document.getElementById("ask");
  if (!form) return;
  form.querySelectorAll("input[name=why]").forEach((each) => each.remove());
  for (const url of parameters.getAll("why")) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "why", value: url });
    form.append(field);
  }
}

function address(form) {
  return form.action + "?" + new URLSearchParams(new FormData(form));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-live]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show(link.href);
});
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target.matches("a[role=button]")) {
    event.preventDefault();
    event.target.click();
  }
});
for (const form of document.querySelectorAll("form[data-live]")) {
  form.addEventListener("input", (event) => {
    const field = event.target;
    if (field.matches("[data-reload]")) return form.requestSubmit();
    if (field.type === "range") {
      const output = form.querySelector(`output[for="${field.id}"]`);
      if (output) output.value = field.dataset.shown ? field.dataset.shown : String(+field.value);
    }
    if (field.matches("[data-quiet]")) return;
    clearTimeout(timer);
    timer = setTimeout(() => show(address(form)), field.type === "range" ? WAIT : 5 * WAIT);
  });
}

// Copying: the address of the same results in another form, put into the clipboard where the browser allows it.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-copies] a");
  if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const said = link.textContent;
  try {
    const text = "address" in link.dataset ? link.href : await (await fetch(link.href)).text();
    await navigator.clipboard.writeText(text);
    link.textContent = "copied";
    setTimeout(() => (link.textContent = said), 1200);
  } catch {
    location.assign(link.href);
  }
});
