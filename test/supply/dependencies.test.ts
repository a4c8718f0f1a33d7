import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { isBuilt } from "../../.scripts/ensure-built.mjs";
import { partsOf, SBOM_FILE } from "../../.scripts/release-files.mjs";

const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8"));

/** Each package that CONTRIBUTING has a line for, with what the line says. */
async function readReasons(): Promise<Map<string, string>> {
  const contributing = await readFile(".github/CONTRIBUTING.md", "utf8");
  const section = contributing.split("\n## Dependencies\n")[1]?.split("\n## ")[0] ?? "";
  return new Map(
    [...section.matchAll(/^\| `(.+?)` \| (.+) \|$/gm)].map(([, name = "", reason = ""]) => [name, reason]),
  );
}

describe("the packages that ship", () => {
  test("have lines of reason in their order, each for a package that is asked for by name", async () => {
    const reasons = await readReasons();
    const { dependencies, devDependencies } = await readJson("package.json");
    expect([...reasons.keys()]).toEqual([...reasons.keys()].sort());
    expect({ ...dependencies, ...devDependencies }).toMatchObject(
      Object.fromEntries([...reasons.keys()].map((name) => [name, expect.any(String)])),
    );
    for (const [name, reason] of reasons) expect(reason.length, name).toBeGreaterThan(10);
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
});

// What is built in is seen in a build: the unit tests of npm test run after one.
describe.runIf(isBuilt())("the packages of a build", () => {
  const readBill = async (): Promise<{ name: string; version: string }[]> =>
    (await readJson(`dist-host/${SBOM_FILE}`)).components;

  test("each have their line of reason where they are asked for by name, and no line is without its package", async () => {
    const { dependencies, devDependencies } = await readJson("package.json");
    const wanted = { ...dependencies, ...devDependencies };
    const shipped = (await readBill()).map(({ name }) => name).filter((name) => name in wanted);
    expect([...(await readReasons()).keys()]).toEqual(shipped.sort());
  });

  test("are named in its licences", async () => {
    for (const folder of ["dist", "dist-host"]) {
      const licences = await readFile(`${folder}/licences/third-party.txt`, "utf8");
      const parts = partsOf([folder]);
      expect(parts.length).toBeGreaterThan(10);
      for (const { name, version } of parts) expect(licences).toContain(`\n${name} ${version}, `);
    }
  });

  test("are built in, but for those that the host imports where it runs", async () => {
    const files = (await readdir("dist-host", { recursive: true })).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(files.map((name) => readFile(`dist-host/${name}`, "utf8")));
    const imported = texts.flatMap((text) => [...text.matchAll(/\b(?:from|import\(|require\() ?"([@\w][\w:./@-]*)"/g)]);
    const packages = new Set(imported.map(([, name = ""]) => name).filter((name) => !isBuiltin(name)));
    // Colors for the log of one that is built in, which does without them.
    packages.delete("supports-color");
    const { dependencies } = await readJson("package.json");
    expect([...packages]).toEqual(Object.keys(dependencies));
  });

  test("are those that npm run audit asks about", async () => {
    const asked: Record<string, string[]>[] = [];
    let answer = {};
    const registry = createServer(async (request, response) => {
      // Of a weak package npm also asks for its other versions, which it can do without.
      if (request.method === "GET") return response.writeHead(404).end();
      asked.push((await json(request.pipe(createGunzip()))) as Record<string, string[]>);
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void registry.close());
    const { port } = registry.address() as AddressInfo;
    // npm leaves its compiled code among the temporary files of newer versions of Node.
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      NODE_DISABLE_COMPILE_CACHE: "1",
    };
    const audit = () => promisify(execFile)(process.execPath, [".scripts/audit.mjs"], { env });

    expect((await audit()).stdout).toContain("found 0 vulnerabilities");
    const names = Object.entries(asked[0] ?? {}).flatMap(([name, versions]) => versions.map((one) => `${name} ${one}`));
    expect(names.sort()).toEqual((await readBill()).map(({ name, version }) => `${name} ${version}`).sort());

    const weakness = { id: 1, url: "https://a.example", title: "Weak", severity: "high", vulnerable_versions: "*" };
    answer = { hono: [weakness] };
    await expect(audit()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("hono") });
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
