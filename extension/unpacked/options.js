// The settings: the address of the server, and a button that opens the panel.
import { address, allow, api, ask, settings, warning, keep } from "./server.js";

const at = (id) => document.getElementById(id);
const say = (text) => (at("said").textContent = text);

function warn(server) {
  at("warning").textContent = warning(server);
  at("warning").hidden = !warning(server);
}

async function save(event) {
  event.preventDefault();
  let server;
  try {
    server = address(at("server").value);
  } catch (error) {
    return say(error.message);
  }
  warn(server);
  // The browser asks the user, who may say no; for loopback it has been allowed already.
  const allowed = await allow(server).catch(() => false);
  if (!allowed) return say(`Not saved: the extension may not talk to ${server}.`);
  await keep({ server });
  at("server").value = server;
  say("Saved. Asking whether a server is there …");
  const answer = await ask(server, []);
  say(answer.failed ? `Saved. ${answer.failed} ${answer.todo} ${answer.command ?? ""}` : `Saved. pagekin ${answer.pagekin} answers there, with ${answer.collections.join(", ")}.`);
}

at("form").addEventListener("submit", save);
const here = await api.windows.getCurrent(); // before the click: a panel opens only in the moment of one
at("open").addEventListener("click", () => (api.sidePanel ? api.sidePanel.open({ windowId: here.id }) : api.sidebarAction.open()));
const { server } = await settings();
at("server").value = server;
warn(server);
