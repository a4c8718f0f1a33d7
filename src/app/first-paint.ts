/**
 * Takes away what the page has shown since before its scripts came (`.build/first-paint/`), in the very frame in which the
 * studio's own screen, or why there is none, stands in `root`: neither a blank moment nor a shift. Without a first paint it
 * does nothing.
 */
export function endFirstPaint(root: HTMLElement): void {
  const drawn = document.getElementById("first-paint");
  if (!drawn) return;
  const observer = new MutationObserver(() => {
    if (!root.querySelector("h1, h2, [role=alert]")) return;
    observer.disconnect();
    drawn.remove();
    // The rules of `public/start.js` come first among the adopted ones.
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(1);
    delete document.documentElement.dataset.first;
  });
  observer.observe(root, { childList: true, subtree: true });
}
