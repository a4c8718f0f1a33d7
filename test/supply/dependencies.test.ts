import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";

const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8"));

describe("the packages that ship", () => {
  test("each have their line of reason, and no line is without its package", async () => {
    const contributing = await readFile(".github/CONTRIBUTING.md", "utf8");
    const section = contributing.split("\n## Dependencies\n")[1]?.split("\n## ")[0] ?? "";
    const reasons = [...section.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)];
    const { dependencies } = await readJson("package.json");
    expect(reasons.map(([, name]) => name)).toEqual(Object.keys(dependencies));
    for (const [, name, reason] of reasons) expect(reason?.length, name).toBeGreaterThan(10);
  });

  test("are pinned to one version, with the hash of what is installed", async () => {
    const { dependencies, devDependencies } = await readJson("package.json");
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
    const { packages } = await readJson("package-lock.json");
    for (const [place, { integrity, link, inBundle }] of Object.entries<Record<string, unknown>>(packages)) {
      // What a package brings in its own archive is covered by the hash of that one.
      if (place === "" || inBundle) continue;
      expect(link, place).toBeUndefined();
      expect(integrity, place).toMatch(/^sha512-/);
    }
  });

  // Whether a package is built in is seen in a build: the unit tests of npm test run after one.
  test.runIf(existsSync("dist-host/licences/third-party.txt"))("are named in the licences of a build", async () => {
    const texts = ["dist", "dist-host"].map((folder) => readFile(`${folder}/licences/third-party.txt`, "utf8"));
    const licences = (await Promise.all(texts)).join("\n");
    const { dependencies } = await readJson("package.json");
    const isNamed = ([name, version]: [string, unknown]) => licences.includes(`\n${name} ${version}, `);
    // The database is not built in, and brings its licence in its own folder.
    expect(Object.entries(dependencies).filter((one) => !isNamed(one))).toEqual([
      ["classic-level", dependencies["classic-level"]],
    ]);
  });
});

test("no script of a package runs where packages are installed", async () => {
  const scripts = (await readdir(".scripts")).map((name) => `.scripts/${name}`);
  const files = [".ci/run", ".github/workflows/ci.yml", ".deploy/Dockerfile", ...scripts];
  const installs: string[] = [];
  for (const file of files) {
    const lines = (await readFile(file, "utf8")).split("\n");
    installs.push(...lines.filter((line) => /\bnpm (ci|i|install)\b|\["(ci|install)",/.test(line)));
  }
  expect(installs.length).toBeGreaterThanOrEqual(3);
  for (const line of installs.filter((text) => !/"(chromium|apt-get)"/.test(text))) {
    expect(line).toContain("--ignore-scripts");
  }
});
