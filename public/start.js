// Runs before anything else on the page: a file of its own, because the Content-Security-Policy allows no inline script.
(() => {
  // 1. A page inside another one can be led to presses that nobody meant. A host's header refuses frames; a plain file
  // host sends none. src/main.tsx renders nothing in a frame either.
  if (window.top !== window.self) {
    refuseFrame();
    return;
  }

  // 2. Another page that opened this one, or talks to it, gets no answer: its messages end here, before any other script.
  const { apply } = Reflect;
  const getter = (owner, name) => Object.getOwnPropertyDescriptor(owner?.prototype ?? {}, name)?.get;
  const ownOrigin = location.origin;
  const { stopImmediatePropagation } = Event.prototype;
  const senderOf = getter(window.MessageEvent, "origin");
  for (const type of ["message", "messageerror"]) {
    addEventListener(
      type,
      (event) => {
        if (apply(senderOf, event, []) !== ownOrigin) apply(stopImmediatePropagation, event, []);
      },
      true,
    );
  }
  window.opener = null;

  // 3. The one name that the policy allows is taken before any other script can take it, for the studio's own workers
  // alone. src/lib/trust-worker.ts takes it over from here; whoever else did would gain no more than these. All that it
  // uses is the browser's own: a script may replace what is looked up later.
  const OwnURL = URL;
  const originOf = getter(URL, "origin");
  const protocolOf = getter(URL, "protocol");
  const pathOf = getter(URL, "pathname");
  const hrefOfUrl = getter(URL, "href");
  const ownProtocol = location.protocol;
  const isOwnUrl = (url) => apply(originOf, url, []) === ownOrigin && apply(protocolOf, url, []) === ownProtocol;
  /** A pattern that goes on matching what it says: a match looks up `exec`. */
  const pattern = (source) => {
    const made = new RegExp(source, "i");
    return Object.assign(made, { exec: made.exec });
  };
  const { test } = RegExp.prototype;
  const workers = pattern(
    "^/assets/[\\w.-]+-worker-[\\w-]{8}\\.js$|^/src/[\\w./-]+-worker\\.ts$|^/(sandbox|offline)-worker\\.js$",
  );
  const policy = window.trustedTypes?.createPolicy("app-worker", {
    createScriptURL(address) {
      const url = new OwnURL(address, ownOrigin);
      if (!isOwnUrl(url) || !apply(test, workers, [apply(pathOf, url, [])])) {
        throw new TypeError("This is not one of Safelight’s workers.");
      }
      return apply(hrefOfUrl, url, []);
    },
  });
  // Opening a tab for an address that a person asked for. All other scripts lose it below, and this needs a fresh press.
  const { open } = window;
  const { userActivation } = window.navigator ?? {};
  const isActive = getter(window.UserActivation, "isActive");
  const openTab = (address) => {
    if (isActive && userActivation && !apply(isActive, userActivation, [])) return;
    apply(open, window, [address, "_blank", "noopener,noreferrer"]);
  };
  Object.defineProperty(window, "safelightStart", {
    configurable: true,
    get() {
      delete window.safelightStart;
      return { workers: policy, openTab };
    },
  });

  // 4. What a content policy leaves open to a script. .github/SECURITY.md has the list, and what remains.
  closeWaysOut();

  // 5. Before the first paint, so that nobody sees a flash of the other theme. src/settings/theme-store.ts takes
  // over from here.
  let choice = null;
  let rail = null;
  try {
    choice = localStorage.getItem("safelight:theme");
    rail = localStorage.getItem("safelight:rail");
  } catch {
    // Storage is refused: the device's theme it is.
  }
  const light = choice === "light" || (choice !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.dataset.theme = light ? "light" : "dark";
  if (rail === "folded" || rail === "wide") document.documentElement.dataset.rail = rail;
  if (light) document.querySelector("meta[name=theme-color]")?.setAttribute("content", "#f7f6f4");

  // 6. Which of the views that are drawn into the page is shown until the studio stands there (src/app/first-paint.css).
  const [, screen] = location.pathname.split("/");
  document.documentElement.dataset.first = isConnected() && screen !== "connect" ? screen || "create" : "connect";

  // The files of the screen are asked for beside those of the page, not after them. The build writes their names here.
  const files = "SCREEN_FILES";
  const { first } = document.documentElement.dataset;
  for (const file of Object.hasOwn(files, first) ? files[first] : []) {
    const link = document.createElement("link");
    if (file.endsWith(".css")) Object.assign(link, { rel: "preload", as: "style" });
    else link.rel = "modulepreload";
    link.href = `/${file}`;
    link.fetchPriority = "low";
    link.crossOrigin = "";
    document.head.append(link);
  }

  // The style sheet of the studio is still on its way: these are the rules of it that the view needs. The build writes
  // them here, and src/main.tsx takes them away. Without them the view stays hidden.
  const rules = "FIRST_PAINT_RULES";
  if (rules.includes("{") && "adoptedStyleSheets" in document) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
  }

  // 7. A script of the page that does not come leaves that view as it is: nothing in it works, so words take its place.
  addEventListener(
    "error",
    ({ target }) => {
      const words = document.getElementById("load-failed");
      if (target?.tagName !== "SCRIPT" || !words || document.getElementById("first-paint") === null) return;
      document.getElementById("first-paint").remove();
      words.hidden = false;
      words.querySelector("button").addEventListener("click", () => location.reload());
    },
    true,
  );

  /** Whether this tab is likely to open connected, as far as what is stored tells. */
  function isConnected() {
    try {
      const stored = sessionStorage.getItem("safelight.connection") ?? localStorage.getItem("safelight.connections");
      const isHost = document.querySelector('meta[name="safelight-host"]').content === "here";
      // Without a host of its own a page forgets its key with a reload, but for the sandbox's.
      return stored !== null && (isHost || stored.includes('"isSandbox":true'));
    } catch {
      return false;
    }
  }

  function refuseFrame() {
    // The rest of the page's scripts never runs. Stopping the load would do that too, and leave the frame unpainted.
    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "script-src 'none'";
    document.head.append(policy);
    document.addEventListener("DOMContentLoaded", () => {
      const text = document.createElement("p");
      const link = document.createElement("a");
      link.href = location.origin + location.pathname;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      link.textContent = "Open Safelight in a new tab";
      link.style.cssText = "color:LinkText;text-decoration:underline";
      text.style.cssText = "margin:0;padding:1.5rem;font:.875rem/1.5 system-ui,sans-serif;color:CanvasText";
      text.append(
        "Safelight doesn’t run inside another page, because that page could control what you click. ",
        link,
        ".",
      );
      document.documentElement.style.cssText = "color-scheme:light dark;background:Canvas";
      document.body.replaceChildren(text);
      document.body.style.cssText = "margin:0;background:Canvas";
    });
  }

  /**
   * A script that got into the page cannot go to another host, nor open its page. It might replace what this relies on, so
   * everything is taken from the browser now. Links that the person presses work as ever.
   */
  function closeWaysOut() {
    const { cloneNode } = Node.prototype;
    const { click } = HTMLElement.prototype;
    const { dispatchEvent } = EventTarget.prototype;
    const { createElement, createElementNS } = Document.prototype;
    const { createDocument } = window.DOMImplementation?.prototype ?? {};
    const { preventDefault } = Event.prototype;
    const { closest, hasAttribute, matches, setAttribute, setAttributeNS } = Element.prototype;
    const isOwn = (address) => isOwnUrl(new OwnURL(address, ownOrigin));
    const isOwnFile = (address) => {
      const url = new OwnURL(address, ownOrigin);
      return apply(originOf, url, []) === ownOrigin && apply(protocolOf, url, []) === "blob:";
    };
    const isOneOf = (node, selector) => {
      try {
        return apply(matches, node, [selector]);
      } catch {
        return false;
      }
    };
    const hrefOf = getter(HTMLAnchorElement, "href");
    const typeOf = getter(Event, "type");
    const nameOf = getter(Element, "localName");
    const ownerOf = getter(window.Attr, "ownerElement");
    const nodeTypeOf = getter(Node, "nodeType");
    const isPressed = getter(window.NavigateEvent, "userInitiated");
    const downloadOf = getter(window.NavigateEvent, "downloadRequest");
    const destinationOf = getter(window.NavigateEvent, "destination");
    const addressOf = getter(window.NavigationDestination, "url");
    const replace = (owner, name, value) => {
      try {
        Object.defineProperty(owner, name, { value, writable: false, configurable: false });
      } catch {
        // This browser keeps its own. Everything else still holds.
      }
    };
    /** A property that takes no value that is refused. */
    const guard = (owner, name, isRefused) => {
      const { get, set } = Object.getOwnPropertyDescriptor(owner?.prototype ?? {}, name) ?? {};
      if (!set) return;
      // Its text is asked for once: the second one might be another.
      const guarded = function (value) {
        const text = value === null || value === undefined ? value : `${value}`;
        if (!isRefused(this, text)) apply(set, this, [text]);
      };
      Object.defineProperty(owner.prototype, name, { get, set: guarded, configurable: false });
    };

    // This tab stays at its own host, also out of pages that a script has written. A browser without this event has no way
    // to keep it there.
    window.navigation?.addEventListener("navigate", (event) => {
      const address = apply(addressOf, apply(destinationOf, event, []), []);
      if (isOwn(address)) return;
      const isFile = isOwnFile(address);
      const isMeant = isFile ? downloadOf && apply(downloadOf, event, []) !== null : apply(isPressed, event, []);
      if (!isMeant) apply(preventDefault, event, []);
    });
    replace(window, "open", () => null);
    // Each of these begins the page anew, without any listener above. `write` does it with the empty text that Trusted
    // Types has for everybody.
    for (const name of ["open", "write", "writeln"]) replace(Document.prototype, name, () => null);

    // The page before this one in the tab could be of another host. It would read a name, and count the steps behind it.
    window.name = "";
    replace(window, "name", "");
    const { navigation } = window;
    const { entries, traverseTo } = window.Navigation?.prototype ?? {};
    const currentOf = getter(window.Navigation, "currentEntry");
    const indexOf = getter(window.NavigationHistoryEntry, "index");
    const keyOf = getter(window.NavigationHistoryEntry, "key");
    /** Goes back or forward, if a page of this host is there: the list has no others. */
    const step = (by) => {
      const entry = apply(entries, navigation, [])[apply(indexOf, apply(currentOf, navigation, []), []) + by];
      if (entry) apply(traverseTo, navigation, [apply(keyOf, entry, [])]);
    };
    if (traverseTo) {
      replace(History.prototype, "go", step);
      replace(History.prototype, "back", () => step(-1));
      replace(History.prototype, "forward", () => step(1));
    }

    // A frame would bring all of this anew, untouched. The studio has none, and what else makes elements goes as well.
    const frames = pattern("^(.*:)?(i?frame|frameset|object|embed|fencedframe|portal)$");
    const safeName = (name) => (apply(test, frames, [name]) ? "span" : name);
    replace(Document.prototype, "createElement", function (name, ...rest) {
      return apply(createElement, this, [safeName(`${name}`), ...rest]);
    });
    replace(Document.prototype, "createElementNS", function (space, name, ...rest) {
      return apply(createElementNS, this, [space, safeName(`${name}`), ...rest]);
    });
    replace(window.DOMImplementation?.prototype, "createDocument", function (space, name, ...rest) {
      return apply(createDocument, this, [space, name && safeName(`${name}`), ...rest]);
    });
    // What reads a page into a document of its own, past Trusted Types.
    replace(window.XMLHttpRequest?.prototype, "responseXML", null);
    guard(window.XMLHttpRequest, "responseType", (_, value) => value === "document");
    for (const owner of [Element, window.ShadowRoot, Document]) {
      for (const place of [owner, owner?.prototype]) {
        for (const name of ["setHTML", "parseHTML"]) if (place && name in place) replace(place, name, undefined);
      }
    }
    // A person may paste or drop one. Nothing here is written into but fields.
    const targetOf = getter(Event, "target");
    addEventListener(
      "beforeinput",
      (event) => {
        const target = apply(targetOf, event, []);
        if (!isOneOf(target, "input, textarea")) apply(preventDefault, event, []);
      },
      true,
    );
    replace(Element.prototype, "attachShadow", undefined);
    replace(window.CustomElementRegistry?.prototype, "define", undefined);

    // What sends without a content policy, or brings a fresh window. Of the navigator, only what is named stays.
    const gone = pattern(
      "^(webkit)?(RTC|Speech)|^(customElements|XSLT|Payment|Presentation|Identity|MediaMetadata|SharedStorage|Fenced|BackgroundFetch|PushManager|documentPicture|DocumentPicture|speechSynthesis)",
    );
    for (const name of Object.getOwnPropertyNames(window)) if (apply(test, gone, [name])) delete window[name];
    const kept = pattern(
      "^(constructor|on[lL]ine|languages?|platform|vendor|product|user.*|app.*|webdriver|maxTouchPoints|hardwareConcurrency|deviceMemory|connection|clipboard|serviceWorker|storage|locks|permissions|mediaCapabilities|(canS|s)hare|sendBeacon|cookieEnabled|gpu|scheduling)$",
    );
    const navigators = window.Navigator?.prototype ?? {};
    for (const name of Object.getOwnPropertyNames(navigators)) if (!apply(test, kept, [name])) delete navigators[name];
    // A cookie may go to the host's neighbors, or be so long that the host refuses this very script.
    guard(Document, "cookie", () => true);
    for (const name of ["set", "delete"]) replace(window.CookieStore?.prototype, name, undefined);

    // A `link` names no other host: its hints reach one, or ask for its name, whatever the policy says.
    const hrefs = pattern("^(.*:)?href$");
    const isLink = (element) => apply(nameOf, element, []) === "link";
    const isForeign = (element, name, value) => {
      if (!isLink(element) || !apply(test, hrefs, [name])) return false;
      try {
        return !isOwn(value);
      } catch {
        return true;
      }
    };
    // What Trusted Types has made stays what it is.
    const textFor = (element, value) => (typeof value === "object" && !isLink(element) ? value : `${value}`);
    replace(Element.prototype, "setAttribute", function (name, value) {
      const key = `${name}`;
      const text = textFor(this, value);
      if (!isForeign(this, key, text)) apply(setAttribute, this, [key, text]);
    });
    replace(Element.prototype, "setAttributeNS", function (space, name, value) {
      const key = `${name}`;
      const text = textFor(this, value);
      if (!isForeign(this, key, text)) apply(setAttributeNS, this, [space, key, text]);
    });
    for (const name of ["setAttributeNode", "setAttributeNodeNS"]) replace(Element.prototype, name, undefined);
    for (const name of ["setNamedItem", "setNamedItemNS"]) replace(window.NamedNodeMap?.prototype, name, undefined);
    const isOfLink = (node) => {
      const owner = apply(nodeTypeOf, node, []) === 2 ? apply(ownerOf, node, []) : null;
      return owner !== null && isLink(owner);
    };
    guard(window.HTMLLinkElement, "href", (link, value) => isForeign(link, "href", value));
    guard(window.Attr, "value", isOfLink);
    guard(Node, "nodeValue", isOfLink);
    guard(Node, "textContent", isOfLink);

    // A click that a script makes follows no link to another host. It goes to a copy, which has no listeners that could
    // change the address meanwhile.
    replace(HTMLElement.prototype, "click", function () {
      const link = apply(closest, this, ["a, area, math"]);
      if (link === null) {
        // A label passes its click on, and a listener could change meanwhile to what: maybe to a link.
        if (apply(closest, this, ["label"]) === null) apply(click, this, []);
        return;
      }
      const copy = apply(cloneNode, link, [false]);
      const address = apply(hrefOf, copy, []);
      const isFile = apply(hasAttribute, copy, ["download"]) && isOwnFile(address);
      if (address === "" || isFile || isOwn(address)) apply(click, copy, []);
    });
    replace(EventTarget.prototype, "dispatchEvent", function (event) {
      return apply(typeOf, event, []) === "click" ? false : apply(dispatchEvent, this, [event]);
    });
  }
})();
