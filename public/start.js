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
      const isWorker = /^\/(assets|src)\/[\w./-]+$/.test(pathname) || pathname === "/sandbox-worker.js";
      if (origin !== location.origin || !href.startsWith("http") || !isWorker) {
        throw new TypeError("This is none of the studio's own workers.");
      }
      return href;
    },
  });
  Object.defineProperty(window, "safelightWorkers", {
    configurable: true,
    get() {
      delete window.safelightWorkers;
      return policy;
    },
  });

  // 3. Before the first paint, so that nobody sees a flash of the other theme. src/screens/settings/theme-store.ts takes
  // over from here.
  let choice = null;
  try {
    choice = localStorage.getItem("safelight:theme");
  } catch {
    // Storage is refused: the device's theme it is.
  }
  const light = choice === "light" || (choice !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.dataset.theme = light ? "light" : "dark";

  function refuseFrame() {
    window.stop();
    const [body, text, link] = ["body", "p", "a"].map((name) => document.createElement(name));
    link.href = location.origin + location.pathname;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    link.textContent = "Open Safelight in a tab of its own";
    text.append("Safelight does not run inside another page, where that page could lead your presses. ", link, ".");
    body.append(text);
    body.style.cssText = "margin:0;padding:24px;font:14px/1.5 system-ui,sans-serif;color:#1c1917;background:#fff";
    document.documentElement.replaceChildren(body);
  }
})();
