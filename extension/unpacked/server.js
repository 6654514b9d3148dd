// The user's own server: the one address that this extension talks to, and all that it sends there.
export const api = globalThis.browser ?? globalThis.chrome;
export const DEFAULT = "http://127.0.0.1:8420";
export const FORMAT = 1; // of the server's answers
const PATIENCE = 40_000; // ms: a server gives up a question after 30 seconds
const SETTINGS = { server: DEFAULT, method: "", alpha: "" }; // all that is ever kept

export const settings = () => api.storage.local.get(SETTINGS);
export const keep = (changed) => api.storage.local.set(changed);

// An address as it is kept; what is wrong with one is thrown as a sentence.
export function address(text) {
  const typed = text.trim() || DEFAULT;
  const found = URL.parse(typed.includes("://") ? typed : `http://${typed}`);
  if (!found || !/^https?:$/.test(found.protocol)) throw new Error(`“${typed}” is not the address of a server; expected one like ${DEFAULT}`);
  if (found.username || found.password) throw new Error("Leave out the user name and the password: neither is ever sent.");
  return found.origin + found.pathname.replace(/\/+$/, "");
}

export const isLoopback = (server) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(server).hostname);

// Why an address should not be used, or "".
export function warning(server) {
  if (isLoopback(server) || server.startsWith("https:")) return "";
  return "http to another machine is not encrypted: whoever is on the way can read which pages you visit. Use https, or a tunnel to 127.0.0.1.";
}

// Ports are no part of a permission.
const origins = (server) => ({ origins: [`${new URL(server).protocol}//${new URL(server).hostname}/*`] });
export const isAllowed = (server) => api.permissions.contains(origins(server));
export const allow = (server) => api.permissions.request(origins(server));

// From here on the browser itself lets this document connect to no other server: a policy can only be tightened.
export function confine(server) {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `connect-src ${new URL(server).origin}`;
  document.head.append(policy);
}

// The address of a tab as it may be sent: of a web page only, without the fragment and what one logs in with. Else null.
export function webPage(text) {
  const found = URL.parse(text ?? "");
  if (!found || !/^https?:$/.test(found.protocol)) return null;
  found.hash = found.username = found.password = "";
  return found.href;
}

// The server's answer, or {failed: a sentence, todo: what to do}. `question` is all that is sent.
export async function ask(server, question, signal) {
  const limit = AbortSignal.timeout(PATIENCE);
  let response, answer;
  try {
    response = await fetch(`${server}/panel.json?${new URLSearchParams(question)}`, {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      cache: "no-store", // no trace of it in the browser's cache
      credentials: "omit",
      redirect: "error", // to follow it would tell another server
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (limit.aborted) return { failed: `${server} takes too long to answer.`, todo: "Try again, or choose another method." };
    return { failed: `No answer from ${server}.`, todo: "Start your server, or set its address:", command: "pagekin serve SITE.kin" };
  }
  try {
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  if (answer?.panel === FORMAT) return answer;
  const version = api.runtime.getManifest().version;
  if (answer?.panel) return { failed: `The server is pagekin ${answer.pagekin}, this extension is for ${version}.`, todo: "Install the extension that comes with the server's version." };
  if (typeof answer?.error === "string") return { failed: `${server} has no panel: ${answer.error}.`, todo: `Check the address, and that the server is pagekin ${version} or later.` };
  return { failed: `What answers at ${server} is not a pagekin server.`, todo: "Check the address." };
}
