// What the panel shows, as elements. Everything that comes from the server is put in as text, never as markup.

// An element with a class, properties and children.
export function element(tag, name = "", properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

// A link to a page, or its name alone if a browser would do anything but open a page (`javascript:`, an identifier).
export function pageLink(url, text, name = "") {
  if (!/^https?:\/\//.test(url)) return element("span", name, { textContent: text });
  return element("a", name, { href: url, textContent: text, rel: "noreferrer", title: url });
}

// A row of the list; `toggle` opens or closes its evidence.
function row(found, template, toggle) {
  const made = template.content.firstElementChild.cloneNode(true);
  Object.assign(made.dataset, { key: found.url, rank: found.rank });
  made.querySelector(".rank").textContent = found.rank;
  made.querySelector(".title").replaceWith(pageLink(found.url, found.title, "title"));
  made.querySelector(".away").textContent = found.where;
  made.querySelector(".mark").hidden = !found.linked;
  made.querySelector(".fill").setAttribute("width", Math.max(100 * found.share, 1).toFixed(1));
  made.querySelector(".score > span").textContent = found.score;
  const button = made.querySelector(".ask"), [sign, unseen] = button.querySelectorAll("span");
  button.id = `why-${found.rank}`;
  button.ariaExpanded = String(Boolean(found.why));
  sign.textContent = found.why ? "−" : "+";
  unseen.textContent = ` ${found.title} is related`;
  button.addEventListener("click", () => toggle(found.url));
  if (found.why) made.append(evidence(found.why));
  return made;
}

function evidence(sentences) {
  const lines = sentences.map((pieces) => element("li", "", {}, ...pieces.map(({ text, url }) => (url ? pageLink(url, text) : text))));
  return element("ul", "why", {}, ...(lines.length ? lines : [element("li", "", { textContent: "No evidence that could be shown in words." })]));
}

// The list of an answer.
export function list(answer, template, { toggle, more }) {
  const count = answer.results.length;
  const rows = answer.results.map((each) => row(each, template, toggle));
  const none = element("li", "none", { textContent: "Nothing to show. Another method may find something." });
  const further = element("button", "plain", { type: "button", id: "more", textContent: "More results" });
  further.addEventListener("click", more);
  return [
    element("p", "status", {}, `${count} page${count === 1 ? "" : "s"} from `, element("b", "", { textContent: answer.collection })),
    ...(answer.note ? [element("p", "note", { textContent: answer.note })] : []),
    element("ol", "kin", {}, ...(count ? rows : [none])),
    ...(answer.more ? [element("p", "further", {}, further)] : []),
  ];
}

// What is wrong with a question: the page is unknown, or the method cannot answer.
export function trouble({ problem, nearest, hosts, collections }) {
  if (problem.status !== 404) return [sentence(problem.error, problem.hint)];
  return [
    sentence(`This page is not in ${collections.length > 1 ? "any of your collections" : "your collection"}.`),
    ...ways("The nearest that are", nearest, (each) => each.where),
    ...ways("Hosts that are known", hosts, (each) => `${each.host}, ${each.pages.toLocaleString("en")} page${each.pages === 1 ? "" : "s"}`),
  ];
}

function ways(heading, pages, under) {
  const items = pages.map((each) => element("li", "", {}, pageLink(each.url, each.title, "title"), element("div", "under", { textContent: under(each) })));
  return items.length ? [element("section", "", {}, element("h2", "", { textContent: heading }), element("ul", "ways", {}, ...items))] : [];
}

// A sentence, what to do, a command to run and buttons.
export function sentence(said, todo = "", command = "", ...buttons) {
  const box = element("div", "problem", { role: "alert" }, element("p", "", { textContent: said.startsWith("http") ? said : said[0].toUpperCase() + said.slice(1) }));
  if (todo) box.append(element("p", "note", { textContent: `${todo} ` }, ...(command ? [element("code", "", { textContent: command })] : [])));
  if (buttons.length) box.append(element("p", "", {}, ...buttons.map(([label, act]) => button(label, act))));
  return box;
}

function button(label, act) {
  const made = element("button", "", { type: "button", textContent: label });
  made.addEventListener("click", act);
  return made;
}
