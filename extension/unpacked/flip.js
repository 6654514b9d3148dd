// Movement one can follow (FLIP: first, last, invert, play): what is marked data-key glides from its old place to its
// new one, what is new fades in, and a result says how many places it rose or fell.
const MS = 420;
const still = matchMedia("(prefers-reduced-motion: reduce)");

const places = (root) => new Map([...root.querySelectorAll("[data-key]")].map((each) => [each.dataset.key, each]));

export function moving(old, swap, fresh) {
  const before = new Map([...places(old)].map(([key, each]) => [key, { box: each.getBoundingClientRect(), rank: +each.dataset.rank }]));
  swap();
  for (const [key, each] of places(fresh)) {
    const was = before.get(key);
    if (each.dataset.rank && before.size) mark(each, was);
    if (still.matches) continue;
    if (!was) {
      each.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MS, easing: "ease-out" });
      continue;
    }
    const now = each.getBoundingClientRect();
    const [x, y] = [was.box.left - now.left, was.box.top - now.top];
    if (Math.abs(x) + Math.abs(y) < 1) continue;
    const scale = each.ownerSVGElement ? each.ownerSVGElement.getScreenCTM().a : 1;
    each.animate([{ transform: `translate(${x / scale}px, ${y / scale}px)` }, { transform: "none" }], { duration: MS, easing: "cubic-bezier(.2, .7, .2, 1)" });
  }
}

function mark(row, was) {
  const rank = +row.dataset.rank;
  if (was && was.rank === rank) return;
  const said = Object.assign(document.createElement("span"), { className: "moved" });
  said.textContent = !was ? "new" : was.rank > rank ? `▲ ${was.rank - rank}` : `▼ ${rank - was.rank}`;
  row.querySelector(".rank")?.append(said);
}
