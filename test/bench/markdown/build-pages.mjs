import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../build-page.mjs";

/** Measured beside us, never part of the product, so they are installed outside it. */
const PEERS = { "react-markdown": "10.1.0", "remark-gfm": "4.0.1", streamdown: "2.7.1" };

function installPeers() {
  const folder = join(tmpdir(), `safelight-bench-${Object.values(PEERS).join("-")}`);
  mkdirSync(folder, { recursive: true });
  if (Object.keys(PEERS).every((name) => existsSync(join(folder, "node_modules", name)))) return folder;
  console.log("Installing react-markdown and streamdown into a temporary folder");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PEERS }));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: "inherit",
  });
  return folder;
}

const page = (name) => `<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>${name}</title>
<style>#scroller{height:640px;width:820px;overflow:auto}#output{padding:16px}</style>
<div id="scroller"><div id="output"></div></div><script type="module" src="/test/bench/markdown/pages/${name}.mjs"></script>`;

/** Builds each page on its own, for production. Returns the folder that holds `<name>/`. */
export async function buildPages(names) {
  const peers = installPeers();
  const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
  const fromPeers = {
    name: "bench-peers",
    enforce: "pre",
    resolveId(id) {
      return id in PEERS ? this.resolve(id, join(peers, "page.js"), { skipSelf: true }) : null;
    },
  };
  for (const name of names) await buildPage(folder, name, page(name), [fromPeers]);
  return folder;
}
