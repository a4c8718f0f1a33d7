// Runs before anything else on the page: a file of its own, because the Content-Security-Policy allows no inline script.
(() => {
  // 1. A page inside another one can be led to presses that nobody meant. A host's header refuses frames; a plain file
  // host sends none. src/main.tsx renders nothing in a frame either.
  if (window.top !== window.self) {
    refuseFrame();
    return;
  }

  // 2. The one name that the policy allows is taken before any other script can take it, for the studio's own workers
  // alone. src/lib/trust-worker.ts takes it over from here; whoever else did would gain no more than these.
  const policy = window.trustedTypes?.createPolicy("app-worker", {
    createScriptURL(address) {
      const { origin, pathname, href } = new URL(address, location.href);
      const isWorker = /^\/(assets|src)\/[\w./-]+$/.test(pathname) || /^\/(sandbox|offline)-worker\.js$/.test(pathname);
      if (origin !== location.origin || !href.startsWith("http") || !isWorker) {
        throw new TypeError("This is not one of Safelight’s workers.");
      }
      return href;
    },
  });
  // Opening a tab for an address that a person asked for. All other scripts lose it below.
  const { open } = window;
  const openTab = (address) => void open.call(window, address, "_blank", "noopener,noreferrer");
  Object.defineProperty(window, "safelightStart", {
    configurable: true,
    get() {
      delete window.safelightStart;
      return { workers: policy, openTab };
    },
  });

  // 3. What a content policy leaves open to a script: going to another host's page, with data in its address.
  closeWaysOut();

  // 4. Before the first paint, so that nobody sees a flash of the other theme. src/settings/theme-store.ts takes
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

  // 5. Which of the views that are drawn into the page is shown until the studio stands there (src/app/first-paint.css).
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

  // 6. A script of the page that does not come leaves that view as it is: nothing in it works, so words take its place.
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
    const { apply } = Reflect;
    const { cloneNode } = Node.prototype;
    const { click } = HTMLElement.prototype;
    const { dispatchEvent } = EventTarget.prototype;
    const { createElement, createElementNS } = Document.prototype;
    const { preventDefault } = Event.prototype;
    const { closest } = Element.prototype;
    const { toLowerCase } = String.prototype;
    const { test } = RegExp.prototype;
    const getter = (owner, name) => Object.getOwnPropertyDescriptor(owner?.prototype ?? {}, name)?.get;
    const OwnURL = URL;
    const ownOrigin = location.origin;
    const isOwn = (address) => apply(originOf, new OwnURL(address), []) === ownOrigin;
    const originOf = getter(URL, "origin");
    const hrefOf = getter(HTMLAnchorElement, "href");
    const typeOf = getter(Event, "type");
    const isPressed = getter(window.NavigateEvent, "userInitiated");
    const destinationOf = getter(window.NavigateEvent, "destination");
    const addressOf = getter(window.NavigationDestination, "url");
    const replace = (owner, name, value) => {
      try {
        Object.defineProperty(owner, name, { value, writable: false, configurable: false });
      } catch {
        // This browser keeps its own. Everything else still holds.
      }
    };

    // This tab stays at its own host. A browser without this event has no way to keep it there.
    window.navigation?.addEventListener("navigate", (event) => {
      const isLeaving = !isOwn(apply(addressOf, apply(destinationOf, event, []), []));
      if (isLeaving && !apply(isPressed, event, [])) apply(preventDefault, event, []);
    });
    replace(window, "open", () => null);
    replace(Document.prototype, "open", () => null);

    // A frame would bring all of this anew, untouched. The studio has none, and what else makes elements goes as well.
    const frames = /^(.*:)?(iframe|frame|object|embed|fencedframe|portal)$/;
    const safeName = (name) => (apply(test, frames, [apply(toLowerCase, name, [])]) ? "span" : name);
    replace(Document.prototype, "createElement", function (name, ...rest) {
      return apply(createElement, this, [safeName(`${name}`), ...rest]);
    });
    replace(Document.prototype, "createElementNS", function (space, name, ...rest) {
      return apply(createElementNS, this, [space, safeName(`${name}`), ...rest]);
    });
    // The first two send what no content policy covers.
    const unused = ["RTCPeerConnection", "webkitRTCPeerConnection", "XSLTProcessor", "customElements"];
    for (const name of unused) if (name in window) replace(window, name, undefined);
    replace(Element.prototype, "attachShadow", undefined);

    // A click that a script makes follows no link to another host. It goes to a copy, which has no listeners that could
    // change the address meanwhile.
    replace(HTMLElement.prototype, "click", function () {
      const link = apply(closest, this, ["a, area"]);
      if (link === null) return apply(click, this, []);
      const copy = apply(cloneNode, link, [false]);
      const address = apply(hrefOf, copy, []);
      if (address === "" || isOwn(address)) apply(click, copy, []);
    });
    replace(EventTarget.prototype, "dispatchEvent", function (event) {
      return apply(typeOf, event, []) === "click" ? false : apply(dispatchEvent, this, [event]);
    });
  }
})();
