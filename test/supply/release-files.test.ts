import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findChanges, HASHES_FILE, makeSbom, SBOM_FILE, writeReleaseFiles } from "../../.scripts/release-files.mjs";

const project = fileURLToPath(new URL("../..", import.meta.url));
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const part = (name: string) => ({ name, version: devDependencies[name] });
let root: string;

/** A small build: a page with a compressed copy, and a host. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "safelight-release-"));
  for (const folder of ["dist/assets", "dist-host"]) await mkdir(join(root, folder), { recursive: true });
  for (const file of ["dist/index.html", "dist/assets/a.js", "dist/assets/a.js.br", "dist-host/main.js"]) {
    await writeFile(join(root, file), `of ${file}`);
  }
  for (const [folder, parts] of Object.entries({ dist: [part("react"), part("vite")], "dist-host": [part("hono")] })) {
    await mkdir(join(root, folder, "licences"));
    await writeFile(join(root, folder, "licences/packages.json"), JSON.stringify(parts));
  }
  writeReleaseFiles({ page: join(root, "dist"), host: join(root, "dist-host"), root: project });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (name: string) => JSON.parse(await readFile(join(root, "dist-host", name), "utf8"));

describe("the hashes of a build", () => {
  test("name every file, the compressed ones too, and not the list itself", async () => {
    const { files } = await read(HASHES_FILE);
    expect(Object.keys(files)).toEqual([
      "dist-host/licences/packages.json",
      "dist-host/main.js",
      `dist-host/${SBOM_FILE}`,
      "dist/assets/a.js",
      "dist/assets/a.js.br",
      "dist/index.html",
      "dist/licences/packages.json",
    ]);
    const hash = (algorithm: string) => createHash(algorithm).update("of dist/index.html");
    expect(files["dist/index.html"]).toEqual({
      bytes: 18,
      sha256: hash("sha256").digest("hex"),
      integrity: `sha384-${hash("sha384").digest("base64")}`,
    });
    expect(findChanges(root)).toEqual([]);
  });

  test.each([
    ["dist/assets/a.js", "dist/assets/a.js differs."],
    ["dist/assets/a.js.br", "dist/assets/a.js.br differs."],
    ["dist-host/main.js", "dist-host/main.js differs."],
    ["dist/assets/b.js", "dist/assets/b.js was added."],
    [`dist-host/${SBOM_FILE}`, `dist-host/${SBOM_FILE} differs.`],
  ])("tell of a change in %s", async (file, sentence) => {
    await appendFile(join(root, file), " ");
    expect(findChanges(root)).toEqual([sentence]);
  });

  test("tell of a file that is gone, and of a list that is gone", async () => {
    await rm(join(root, "dist/index.html"));
    expect(findChanges(root)).toEqual(["dist/index.html is missing."]);
    await rm(join(root, "dist-host", HASHES_FILE));
    expect(findChanges(root)).toEqual([`dist-host/${HASHES_FILE} is missing.`]);
  });

  test("are checked by npm run verify, which fails when a file differs", async () => {
    const verify = () => promisify(execFile)(process.execPath, [join(project, ".scripts/verify.mjs"), root]);
    expect((await verify()).stdout).toContain("as they were built");
    await appendFile(join(root, "dist/index.html"), " ");
    await expect(verify()).rejects.toMatchObject({ code: 1, stderr: "dist/index.html differs.\n" });
  });
});

describe("the bill of materials", () => {
  test("lists what both builds took in and what the host imports, in exact versions", async () => {
    const { components, ...about } = await read(SBOM_FILE);
    expect(about).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "safelight" } } });
    const taken = ["hono", "react", "vite"].map((name) => `${name} ${devDependencies[name]}`);
    const listed: string[] = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
    expect(listed).toEqual(expect.arrayContaining([...taken, `classic-level ${dependencies["classic-level"]}`]));
    // What a package of run time needs, in its turn, ships with it.
    expect(listed.map((one) => one.split(" ")[0])).toContain("abstract-level");
    for (const name of Object.keys(devDependencies)) {
      const isTaken = ["hono", "react", "vite"].includes(name);
      if (!isTaken) expect(listed, name).not.toContain(`${name} ${devDependencies[name]}`);
    }
    // Whoever builds the same commit gets the same file.
    expect(about.serialNumber).toBeUndefined();
    expect(about.metadata.timestamp).toBeUndefined();
  });

  test("has the licence, the hash and the address of each", async () => {
    const { components } = await read(SBOM_FILE);
    const { packages } = JSON.parse(await readFile(join(project, "package-lock.json"), "utf8"));
    const [algorithm, digest] = packages["node_modules/react"].integrity.split("-");
    const [react] = components.filter(({ name }: { name: string }) => name === "react");
    expect(algorithm).toBe("sha512");
    expect(react).toMatchObject({
      purl: `pkg:npm/react@${devDependencies.react}`,
      licenses: [{ expression: "MIT" }],
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    });
  });

  test("is refused where the lock file does not know a part", () => {
    expect(() => makeSbom(project, [{ name: "react", version: "0.0.1" }])).toThrow("has no react 0.0.1");
  });
});
