// Runs before the first paint, so that nobody sees a flash of the other theme. A file of its own, because the
// Content-Security-Policy allows no inline script. src/screens/settings/theme-store.ts takes over from here.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("safelight:theme");
  } catch {
    // Storage is refused: the device's theme it is.
  }
  const light = choice === "light" || (choice !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.dataset.theme = light ? "light" : "dark";
})();
