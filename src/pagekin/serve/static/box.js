// Suggestions under the box while one types: pages by title or address, and words. Arrow keys choose, Enter goes there,
// Escape closes. Without this file the box is a plain form.
const WAIT = 80, LEAST = 2, MOST = 8;

for (const form of document.querySelectorAll("form[data-suggest]")) {
  const input = form.querySelector("input");
  const list = Object.assign(document.createElement("div"), { className: "suggestions", id: "suggestions", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  form.append(list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id], ["aria-expanded", "false"]])
    input.setAttribute(name, value);
  let timer, asked, chosen = -1;

  function close() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(at) {
    const options = [...list.children];
    chosen = (at + options.length + 1) % (options.length + 1) === options.length ? -1 : (at + options.length) % options.length;
    options.forEach((each, number) => each.setAttribute("aria-selected", String(number === chosen)));
    if (chosen < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  }

  function go(option) {
    if (option.dataset.url) return location.assign(`${form.dataset.page}?${new URLSearchParams({ url: option.dataset.url })}`);
    input.value = option.dataset.word;
    form.requestSubmit();
  }

  function option(number, title, under, data) {
    const each = Object.assign(document.createElement("div"), { id: `suggestion-${number}`, textContent: title });
    each.setAttribute("role", "option");
    each.setAttribute("aria-selected", "false");
    if (under) each.append(Object.assign(document.createElement("span"), { textContent: under }));
    Object.assign(each.dataset, data);
    each.addEventListener("mousedown", (event) => (event.preventDefault(), go(each)));
    return each;
  }

  async function suggest() {
    asked?.abort();
    asked = new AbortController();
    const prefix = input.value.trim();
    if (prefix.length < LEAST) return close();
    try {
      const answer = await fetch(`${form.dataset.suggest}?${new URLSearchParams({ prefix: prefix.slice(0, 200), k: MOST })}`, { signal: asked.signal });
      if (!answer.ok) return close();
      const { results = [] } = await answer.json();
      const rows = results.map(({ word, kind, url }) =>
        url ? [cut(word), kind === "title" ? cut(url.replace(/^https?:\/\//, "")) : "", { url }] : [cut(word), "search for this word", { word }]);
      list.replaceChildren(...rows.map((each, number) => option(number, ...each)));
      if (!list.children.length || document.activeElement !== input) return close();
      list.hidden = false;
      chosen = -1;
      input.setAttribute("aria-expanded", "true");
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  }

  // Characters that would reverse the line are left out, as the server does.
  const cut = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, "").slice(0, 90);

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, WAIT);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      go(list.children[chosen]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  });
}
