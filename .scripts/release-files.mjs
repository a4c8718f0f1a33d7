// What is published beside a build, so that others can see what it is made of and that it is whole.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ bytes: number, sha256: string, integrity: string }} FileHash */
/** @typedef {{ name: string, version: string }} Part */
/** @typedef {{ version: string, integrity: string, license: string, dev?: boolean, devOptional?: boolean }} Locked */

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
 * @param {{ page: string, host: string, root: string }} build both folders, and the project's
 */
export function writeReleaseFiles({ page, host, root }) {
  writeFileSync(join(host, SBOM_FILE), makeSbom(root, partsOf([page, host])));
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
 * The packages that the bundler took into builds.
 * @param {string[]} folders
 * @returns {Part[]}
 */
export function partsOf(folders) {
  return folders.flatMap((folder) => readJson(join(folder, "licences/packages.json")));
}

/**
 * What ships, as CycloneDX: what both builds have taken in, and what the host imports where it runs.
 * @param {string} root the folder with package.json and package-lock.json
 * @param {readonly Part[]} parts what the builds have taken in; one of both may be named twice
 */
export function makeSbom(root, parts) {
  /** @type {{ name: string, version: string, license: string }} */
  const { name, version, license } = readJson(join(root, "package.json"));
  const components = Object.entries(shippedPackages(root, parts)).map(([place, entry]) => {
    const component = { name: nameOf(place), version: entry.version };
    const purl = `pkg:npm/${component.name.replace("@", "%40")}@${component.version}`;
    const content = Buffer.from(entry.integrity.replace("sha512-", ""), "base64").toString("hex");
    return {
      type: "library",
      "bom-ref": purl,
      ...component,
      purl,
      licenses: [{ expression: entry.license }],
      hashes: [{ alg: "SHA-512", content }],
    };
  });
  const studio = {
    type: "application",
    "bom-ref": `${name}@${version}`,
    name,
    version,
    licenses: [{ expression: license }],
  };
  const format = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
  };
  return `${JSON.stringify({ ...format, version: 1, metadata: { component: studio }, components }, null, 1)}\n`;
}

/**
 * What ships, as the lock file has it. Throws where that does not know a part.
 * @param {string} root
 * @param {readonly Part[]} parts
 * @returns {Record<string, Locked>} by place, such as `node_modules/react`
 */
export function shippedPackages(root, parts) {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = readJson(join(root, "package-lock.json"));
  const all = Object.entries(packages).filter(([place]) => place !== "");
  const taken = parts.map(({ name, version }) => {
    const found = all.find(([place, entry]) => nameOf(place) === name && entry.version === version);
    if (!found) throw new Error(`package-lock.json has no ${name} ${version}.`);
    return found[0];
  });
  return Object.fromEntries(
    all.filter(([place, { dev, devOptional }]) => taken.includes(place) || !(dev || devOptional)),
  );
}

/**
 * @param {string} place of a package in the lock file
 */
function nameOf(place) {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
