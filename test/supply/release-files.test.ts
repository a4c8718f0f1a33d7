import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findChanges, HASHES_FILE, makeSbom, SBOM_FILE, writeReleaseFiles } from "../../.scripts/release-files.mjs";

const project = fileURLToPath(new URL("../..", import.meta.url));
let root: string;
let sbom: string;

beforeAll(async () => {
  sbom = await makeSbom(project);
}, 60_000);

/** A small build: a page with a compressed copy, and a host. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "safelight-release-"));
  for (const folder of ["dist/assets", "dist-host"]) await mkdir(join(root, folder), { recursive: true });
  for (const file of ["dist/index.html", "dist/assets/a.js", "dist/assets/a.js.br", "dist-host/main.js"]) {
    await writeFile(join(root, file), `of ${file}`);
  }
  writeReleaseFiles({ page: join(root, "dist"), host: join(root, "dist-host"), sbom });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (name: string) => JSON.parse(await readFile(join(root, "dist-host", name), "utf8"));

describe("the hashes of a build", () => {
  test("name every file, the compressed ones too, and not the list itself", async () => {
    const { files } = await read(HASHES_FILE);
    expect(Object.keys(files)).toEqual([
      "dist-host/main.js",
      `dist-host/${SBOM_FILE}`,
      "dist/assets/a.js",
      "dist/assets/a.js.br",
      "dist/index.html",
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

test("the bill of materials lists what ships in its exact version, and no tool of development", async () => {
  const written = await read(SBOM_FILE);
  expect(written).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "safelight" } } });
  const components: { name: string; version: string; hashes: object[] }[] = written.components;
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  expect(listed).toEqual(
    expect.arrayContaining(Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)),
  );
  for (const name of Object.keys(devDependencies)) {
    if (!name.startsWith("@types/")) expect(components.map((one) => one.name)).not.toContain(name);
  }
  // Whoever builds the same commit gets the same file.
  expect(written.serialNumber).toBeUndefined();
  expect(written.metadata.timestamp).toBeUndefined();
});
