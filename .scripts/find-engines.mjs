import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The engines besides Chromium that the stories of test/engines run in.
 *
 * Firefox: FIREFOX_PATH, then PATH, then the usual places. WebKit: WebKitGTK's driver (WEBKIT_DRIVER_PATH, then PATH),
 * the MiniBrowser of the same package (MINIBROWSER_PATH), and a display, which Xvfb may give.
 * @typedef {{ name: "firefox" | "webkit", browser?: string, driver?: string, xvfb?: string, missing?: string }} Engine
 *   paths, or in `missing` a sentence that says what to install
 * @returns {Engine[]}
 */
export function findEngines() {
  return [findFirefox(), findWebKit()];
}

/** @returns {Engine} */
function findFirefox() {
  const browser = process.env.FIREFOX_PATH || onPath("firefox-esr", "firefox", "firefox.exe") || elsewhere(FIREFOXES);
  if (browser) return { name: "firefox", browser };
  return { name: "firefox", missing: "No Firefox found (Debian: firefox-esr)." };
}

/** @returns {Engine} */
function findWebKit() {
  const driver = process.env.WEBKIT_DRIVER_PATH || onPath("WebKitWebDriver");
  const browser = process.env.MINIBROWSER_PATH || elsewhere(miniBrowsers());
  if (!driver || !browser) return { name: "webkit", missing: "No WebKitGTK found (Debian: webkit2gtk-driver)." };
  const xvfb = onPath("Xvfb");
  if (!xvfb && !process.env.DISPLAY) {
    return { name: "webkit", missing: "WebKitGTK is there, but no display for it (Debian: xvfb)." };
  }
  return { name: "webkit", driver, browser, ...(xvfb && { xvfb }) };
}

const FIREFOXES = [
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];

/** @param {string[]} names */
function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return elsewhere(names.flatMap((name) => folders.map((folder) => join(folder, name))));
}

/** @param {string[]} paths */
function elsewhere(paths) {
  return paths.find((path) => existsSync(path));
}

/** Where distributions put it: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser, /usr/libexec/webkitgtk-6.0/MiniBrowser. */
function miniBrowsers() {
  const libraries = ["/usr/libexec", "/usr/lib64", "/usr/lib", ...foldersIn("/usr/lib", /-linux-/)];
  return libraries
    .flatMap((library) => foldersIn(library, /^webkit(2gtk-4|gtk-6)\./))
    .map((folder) => join(folder, "MiniBrowser"));
}

/**
 * @param {string} folder
 * @param {RegExp} name
 */
function foldersIn(folder, name) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => name.test(entry))
    .map((entry) => join(folder, entry));
}
