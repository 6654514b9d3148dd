// On the map: pointing at a page, or focusing it, shows the lines that lead to it and asks the server why it is here.
const WAIT = 120; // ms on a page before the server is asked, so that crossing the map asks nothing
let timer, asked, last;

function light(dot) {
  const map = dot.closest(".map");
  map.querySelectorAll(".lit").forEach((each) => each.classList.remove("lit"));
  dot.classList.add("lit");
  for (const line of map.querySelectorAll("[data-ends]"))
    if (line.dataset.ends.split(" ").includes(dot.dataset.number)) line.classList.add("lit");
}

async function tell(dot) {
  const told = document.getElementById("told");
  if (!dot.dataset.why || !told || last === dot.dataset.why) return;
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(dot.dataset.why, { signal: asked.signal });
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    const heading = Object.assign(document.createElement("h2"), { textContent: dot.querySelector("a").getAttribute("aria-label") });
    told.replaceChildren(heading, ...parsed.body.children);
    last = dot.dataset.why;
  } catch (error) {
    if (error.name !== "AbortError") told.textContent = "The server does not answer.";
  }
}

function pointed(event) {
  const dot = event.target.closest?.(".dot");
  if (!dot) return;
  light(dot);
  clearTimeout(timer);
  timer = setTimeout(() => tell(dot), WAIT);
}
document.addEventListener("pointerover", pointed);
document.addEventListener("focusin", pointed);
document.addEventListener("shown", () => (last = undefined));

// Where the map is wider than the screen, the page in the middle is seen first.
const middle = document.querySelector(".map .middle circle"), room = document.querySelector(".map-scroll");
if (middle) room.scrollLeft = (+middle.getAttribute("cx") / 1000) * room.scrollWidth - room.clientWidth / 2;
