// What is published beside a build, so that others can see what it is made of and that it is whole.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNpm } from "./run.mjs";

/** @typedef {{ bytes: number, sha256: string, integrity: string }} FileHash */

/** In the folder of the built host. They hold no hash of themselves. */
export const SBOM_FILE = "sbom.cdx.json";
export const HASHES_FILE = "integrity.json";
const OWN_FILES = [HASHES_FILE];

/**
 * Every file below the given folders, by the name under which it is published.
 * @param {Record<string, string>} folders their names, such as `dist`, and where they are
 * @returns {Record<string, FileHash>} SHA-256 in hexadecimal digits, and
 * SHA-384 as `integrity` attributes take it
 */
export function hashFiles(folders) {
  const files = Object.entries(folders).flatMap(([name, folder]) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(folder, path)).isFile() && !OWN_FILES.includes(path))
      .map((path) => ({ name: `${name}/${path.replaceAll("\\", "/")}`, path: join(folder, path) })),
  );
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(files.map(({ name, path }) => [name, hashFile(path)]));
}

/**
 * @param {string} path
 * @returns {FileHash}
 */
function hashFile(path) {
  const bytes = readFileSync(path);
  /**
   * @param {string} algorithm
   * @param {"hex" | "base64"} encoding
   */
  const digest = (algorithm, encoding) => createHash(algorithm).update(bytes).digest(encoding);
  return { bytes: bytes.length, sha256: digest("sha256", "hex"), integrity: `sha384-${digest("sha384", "base64")}` };
}

/**
 * Writes the bill of materials and then the hashes of all files of a build into the folder of its host.
 * @param {{ page: string, host: string, sbom: string }} build both folders, and what `makeSbom` made
 */
export function writeReleaseFiles({ page, host, sbom }) {
  writeFileSync(join(host, SBOM_FILE), sbom);
  const files = hashFiles({ dist: page, "dist-host": host });
  writeFileSync(join(host, HASHES_FILE), `${JSON.stringify({ files }, null, 1)}\n`);
}

/**
 * What differs from what was built, one sentence each; nothing where all is as it was.
 * @param {string} root the folder with dist/ and dist-host/
 */
export function findChanges(root) {
  const listed = join(root, "dist-host", HASHES_FILE);
  if (!existsSync(listed)) return [`dist-host/${HASHES_FILE} is missing.`];
  /** @type {{ files: Record<string, FileHash> }} */
  const { files } = JSON.parse(readFileSync(listed, "utf8"));
  const found = hashFiles({ dist: join(root, "dist"), "dist-host": join(root, "dist-host") });
  const names = [...new Set([...Object.keys(files), ...Object.keys(found)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [files[name], found[name]];
    if (!is) return [`${name} is missing.`];
    if (!was) return [`${name} was added.`];
    const isSame = was.bytes === is.bytes && was.sha256 === is.sha256 && was.integrity === is.integrity;
    return isSame ? [] : [`${name} differs.`];
  });
}

/**
 * What ships, as CycloneDX: the packages of the lock file without those of development. npm makes it; what differs from
 * run to run is taken out, so that two builds of one commit are the same.
 * @param {string} root the folder with package.json and package-lock.json
 */
export async function makeSbom(root) {
  // npm's --omit=dev leaves out what a development package wants, too, such as react: so npm sees no other packages.
  const folder = mkdtempSync(join(tmpdir(), "safelight-sbom-"));
  try {
    const { devDependencies: _, ...manifest } = readJson(join(root, "package.json"));
    const { packages, ...lock } = readJson(join(root, "package-lock.json"));
    const shipped = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const { devDependencies: __, ...own } = packages[""];
    const pruned = { ...lock, packages: { ...Object.fromEntries(shipped), "": own } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(pruned));
    const sbomArguments = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
    const printed = await runNpm(sbomArguments, folder, "The bill of materials could not be made");
    const { serialNumber: ___, metadata, ...rest } = JSON.parse(printed);
    const about = { ...metadata, component: { ...metadata.component, name: manifest.name } };
    delete about.timestamp;
    return `${JSON.stringify({ ...rest, metadata: about }, null, 1)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
