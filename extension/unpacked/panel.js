// The panel: follows the tab beside it, asks the user's own server about its page, and shows the answer. It listens only
// while it is open and to be seen; closing it ends this document, and with it every listener.
import { element, list, sentence, trouble } from "./draw.js";
import { moving } from "./flip.js";
import { api, allow, ask, confine, isAllowed, keep, settings, warning, webPage } from "./server.js";

const WAIT = 150; // ms on a tab before the server is asked, so that passing by other tabs tells it nothing
const STEP = 15; // further results that “More results” shows
const LONGEST = 120; // characters of an address in the heading
const ALPHA = { // what the slider means, by method
  assisted: ["How tight", "chains", "tight groups", "Near 0 pages join in long chains, near 1 only tight groups count."],
  integrated: ["How much words count", "links", "words", "The weight of the keywords; the links have the rest."],
};
const at = (id) => document.getElementById(id);
const kept = await settings();
const mine = (await api.windows.getCurrent()).id;
confine(kept.server);

let page = null; // the address that is shown: nothing else of where you were is remembered
let drawn = null; // the page that the list is about
let open = []; // results whose evidence is open
let k = STEP;
let asked, timer;

// What the tab beside the panel shows now.
async function follow() {
  if (document.hidden) return;
  const [tab] = await api.tabs.query({ active: true, windowId: mine });
  if (!tab || tab.url === undefined) return;
  const found = webPage(tab.url);
  if (found && found === page) return;
  page = found;
  open = [];
  k = STEP;
  clearTimeout(timer);
  asked?.abort();
  if (!page) return say(noPage(tab.url));
  if (`${page}/`.startsWith(`${kept.server}/`)) return say("This is a page of your pagekin server itself. Nothing was asked.");
  const allowed = await isAllowed(kept.server);
  if (page !== found) return; // meanwhile it is another
  if (!allowed) return say(`This extension may not talk to ${kept.server} yet.`, "", "", ["Allow it", () => allow(kept.server).then((yes) => yes && again())]);
  timer = setTimeout(show, WAIT);
}

function noPage(url) {
  const scheme = URL.parse(url)?.protocol ?? "";
  return `This is not a web page${scheme ? `: its address begins with “${scheme}”` : ""}. Nothing was sent.`;
}

function again() {
  page = null;
  follow();
}

// Asks about the page; what is sent is its address, and how the user wants the list.
async function show() {
  asked?.abort();
  if (document.hidden) page = null; // to be asked about when it is seen again
  if (!page) return;
  const my = (asked = new AbortController());
  at("results").ariaBusy = "true";
  const question = [["url", page], ...open.map((url) => ["why", url])];
  if (kept.method) question.push(["method", kept.method]);
  if (kept.method && kept.alpha) question.push(["alpha", kept.alpha]);
  if (k !== STEP) question.push(["k", k]);
  try {
    const answer = await ask(kept.server, question, my.signal);
    if (my === asked) put(answer);
  } catch {
    // another page has been asked about meanwhile
  }
}

function put(answer) {
  if (answer.failed) return say(answer.failed, answer.todo, answer.command, ["Try again", again]);
  head(answer);
  controls(answer);
  fill(answer.problem ? trouble(answer) : list(answer, at("row"), { toggle, more }));
}

function say(...said) {
  at("about").hidden = at("ask").hidden = at("collection").hidden = true;
  fill([sentence(...said)]);
}

// New contents; those about the same page glide to their new places, and the focus stays on the button that was pressed.
function fill(contents) {
  const old = at("results"), focus = old.contains(document.activeElement) ? document.activeElement.id : "";
  const warned = warning(kept.server);
  const fresh = element("div", "", { id: "results", ariaLive: "polite" }, ...(warned ? [element("p", "note", { textContent: warned })] : []), ...contents);
  if (drawn === page) moving(old, () => old.replaceWith(fresh), fresh);
  else old.replaceWith(fresh);
  drawn = page;
  if (focus) at(focus)?.focus({ preventScroll: true });
}

function head({ page: shown, collection }) {
  at("about").hidden = false;
  at("title").textContent = shown?.title ?? (page.length > LONGEST ? `${page.slice(0, LONGEST)}…` : page);
  at("where").textContent = shown?.where ?? "";
  at("collection").hidden = false;
  at("collection").textContent = collection;
}

function controls({ methods, method, says, alpha, problem }) {
  at("ask").hidden = !methods.length || problem?.status === 404; // no method helps there
  at("method").replaceChildren(...methods.map(({ name, ready }) => element("option", "", { value: name, textContent: ready ? name : `${name} (not built)`, selected: name === method })));
  at("says").textContent = says;
  at("slide").hidden = alpha === null;
  if (alpha === null) return;
  const [name, low, high, help] = ALPHA[method] ?? ["How much", "less", "more", ""];
  for (const [id, text] of Object.entries({ "alpha-name": name, "alpha-low": low, "alpha-high": high, "alpha-help": help, "alpha-value": alpha })) at(id).textContent = text;
  if (document.activeElement !== at("alpha")) at("alpha").value = alpha;
}

function toggle(url) {
  open = open.includes(url) ? open.filter((each) => each !== url) : [...open, url];
  show();
}

function more() {
  k += STEP;
  show();
}

at("method").addEventListener("change", () => {
  keep(Object.assign(kept, { method: at("method").value, alpha: "" }));
  show();
});
at("alpha").addEventListener("input", () => {
  Object.assign(kept, { method: at("method").value, alpha: at("alpha").value });
  at("alpha-value").textContent = Number(kept.alpha);
  clearTimeout(timer);
  timer = setTimeout(show, WAIT / 2);
});
at("alpha").addEventListener("change", () => keep(kept));
at("ask").addEventListener("submit", (event) => event.preventDefault());

// A link opens in the tab beside the panel, and the list follows; with Ctrl or the middle button, in a tab of its own.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  api.tabs.query({ active: true, windowId: mine }).then(([tab]) => api.tabs.update(tab.id, { url: link.href }));
});

api.tabs.onActivated.addListener(({ windowId }) => windowId === mine && follow());
api.tabs.onUpdated.addListener((id, changed, tab) => tab.active && tab.windowId === mine && (changed.url || changed.status) && follow());
document.addEventListener("visibilitychange", follow);
api.storage.onChanged.addListener(({ server }) => server && location.reload()); // a policy can only be tightened
follow();
