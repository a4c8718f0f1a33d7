import { NEEDS_OWN_WORKER, STAYS_IN_WORKER } from "./needs-own-worker.ts";

const NODE_TEST = /^test\/.*\.test\.ts$/;

/** Path from the project's root, such as `src/runs/poll/use-jobs.ts`, to its text. */
export type Sources = Record<string, string>;

/** One folder for each place of the studio: its screen and all that only it needs. None imports another. */
const PLACES = ["batch", "connect", "create", "history", "job", "playground", "settings", "spend"];

/**
 * From the top down: a folder imports only from folders below it. Four folders lie inside another one and have a level of
 * their own: other places put runs into a batch (`batch/runner`, `batch/rows`), text is charged as well
 * (`runs/ledger`), and for `runs/rules` see `PURE`.
 */
const LAYERS = [
  ["app"],
  PLACES,
  ["queue"],
  ["batch/runner"],
  ["batch/rows"],
  ["results"],
  ["runs"],
  ["schema-form"],
  ["models"],
  ["media"],
  ["text"],
  ["runs/ledger"],
  ["connection"],
  ["ui"],
  ["storage"],
  ["api"],
  ["runs/rules"],
  ["lib"],
];

/**
 * Inside a folder, from the top down: a room imports only from rooms of a lower level. A file that lies loose in the folder
 * has no level: a room may import it when all rooms that it leads to stand below the room. Each folder's README says
 * what its rooms do.
 */
const ROOMS: Record<string, string[][]> = {
  media: [["show"], ["download", "thumbs", "upload"], ["clips", "convert", "metadata"]],
  results: [["viewer"], ["archive", "deletion", "request-log", "reuse", "settings", "waiting"], ["alerts", "marks"]],
  runs: [["submit"], ["prices"], ["poll"], ["job-list"]],
  "schema-form": [["form"], ["controls"], ["check"], ["read"]],
  text: [["conversations"], ["markdown"]],
};

/** Beside the layers: what these may import, lib aside. */
const OUTSIDERS: Record<string, { types: string[]; values: string[] }> = {
  sandbox: { types: ["api"], values: [] },
  host: { types: ["api"], values: ["sandbox", "runs/rules"] },
  "runs/rules": { types: ["api"], values: [] },
};

/**
 * The rules of runs know no storage, no network, no page and no clock of their own, so that page, simulation and host can run
 * the same file. That holds for whatever they import, too.
 */
const PURE = "runs/rules";
const IMPURE =
  /\b(?:globalThis|window|document|navigator|process|performance|crypto|localStorage|sessionStorage|indexedDB|caches|fetch|XMLHttpRequest|WebSocket|setTimeout|setInterval|setImmediate|queueMicrotask|Intl|Date|self|location)\b|\bMath\.random\b|\btoLocale\w+|\bimport\.meta\b/;

/** Who may reach the sandbox, and only by a lazy `import()`. `src/main.tsx` counts as app. */
const OPENS_SANDBOX = new Set(["app", "settings", "connection"]);

/**
 * What the page loads late besides the sandbox: screens (by the router), parts that come after their screen, and what
 * brings a heavy library. Nothing between Run and the ledger may be among them: code that did not come must never stand
 * between a person and what became of their money.
 */
const LOADED_LATE = [
  /^src\/app\/shell\.tsx$/,
  new RegExp(`^src/(${PLACES.join("|")}|batch/prices)/[\\w-]+-screen\\.tsx$`),
  /^src\/app\/palette\/(command-palette|shortcut-sheet)\.tsx$/,
  /^src\/create\/result-stage\.tsx$/,
  /^src\/models\/model-picker\.tsx$/,
  /^src\/create\/improve\/improve-dialog\.tsx$/,
  /^src\/media\/upload\/crop-dialog\.tsx$/,
  /^src\/text\/markdown\/render-formula\.ts$/,
  /^src\/media\/clips\/(decode-frame|join-clips)\.ts$/,
  /^src\/media\/convert\/convert-recording\.ts$/,
  /^src\/sandbox\//,
  /^libheif-js\//,
];

const WITHOUT_REACT = new Set(["api", "storage", "sandbox", "host"]);
const WITHOUT_QUERIES = new Set(["api", "ui", "lib", "storage", "sandbox", "host"]);
const VAGUE_NAMES = /^(utils?|helpers?|common|misc|shared)$/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.long)?(\.test|\.flow|\.config)?(\.d)?\.(ts|tsx)$/;
/** A key, a channel or a lock of the studio, as a literal. */
const STORED_NAME = /(?<=["'`])safelight[.:][\w-]+(?=["'`|])/g;
const BROWSER_STORES = /\b(?:localStorage|sessionStorage|indexedDB)\b|\bcaches\.\w+/g;

interface Import {
  specifier: string;
  kind: "value" | "type" | "lazy";
}

/** Every breach of the architecture, one sentence each, beginning with the file's path. */
export function checkArchitecture(sources: Sources): string[] {
  const problems = Object.entries(sources).flatMap(([path, text]) =>
    [
      ...checkPlace(path, text),
      ...(path.startsWith("src/")
        ? [
            ...checkImports(path, text),
            ...checkStores(path, text),
            ...checkRooms(path, sources),
            ...checkPure(path, sources),
          ]
        : []),
    ].map((problem) => `${path}: ${problem}`),
  );
  return [...problems, ...findCircles(sources)];
}

function checkPlace(path: string, text: string): string[] {
  const parts = path.split("/");
  const file = parts.at(-1) ?? "";
  const problems: string[] = [];
  if (!KEBAB_CASE.test(file)) problems.push("the file's name is not kebab-case");
  if (/^index\.tsx?$/.test(file)) problems.push("no index files: import the file itself");
  const vague = [...parts.slice(1, -1), file.replace(/\..*$/, "")].find((part) => VAGUE_NAMES.test(part));
  if (vague) problems.push(`"${vague}" says nothing about what is in it`);
  if (path.startsWith("test/") && path !== "test/setup/fc.ts" && importsOf(text).some(isFastCheck)) {
    problems.push("import fc from test/setup/fc.ts: it fixes the seed");
  }
  if (path.startsWith("src/")) {
    if (/^export default\b/m.test(text)) problems.push("default export: named exports only");
    if (parts.length > 2 && !isKnownFolder(homeOf(path))) problems.push(`the folder ${parts[1]} is in no table`);
  }
  return problems;
}

const isFastCheck = ({ specifier }: Import) => specifier === "fast-check";

/** Every browser store is behind `storage/`, so that one list names its keys and one call deletes an account. */
function checkStores(path: string, text: string): string[] {
  if (homeOf(path) === "storage") return [];
  const code = withoutComments(text);
  return [
    ...Array.from(new Set(code.match(BROWSER_STORES)), (store) => `${store} is used only in storage/`),
    ...Array.from(new Set(code.match(STORED_NAME)), (name) => `${name} belongs into storage/keys.ts`),
  ];
}

function checkImports(path: string, text: string): string[] {
  const from = homeOf(path);
  return importsOf(text).flatMap((found) => {
    const problem = checkImport(path, from, found);
    return problem ? [problem] : [];
  });
}

function checkImport(path: string, from: string, { specifier, kind }: Import): string | undefined {
  const target = resolve(path, specifier);
  const isLate = kind === "lazy" && path.startsWith("src/") && from !== "host";
  if (isLate && !LOADED_LATE.some((late) => late.test(target ?? specifier))) {
    return `${specifier} is not among what is loaded late`;
  }
  if (target === undefined) return checkPackage(from, specifier);
  const to = homeOf(target);
  if (to === from) return specifier.startsWith("../../") ? `${specifier} climbs: use #${target.slice(4)}` : undefined;
  if (specifier.startsWith(".") && from !== "") return `${specifier} leaves its folder: use #${target.slice(4)}`;
  if (to === "host") return "nobody imports host";
  if (PLACES.includes(from) && PLACES.includes(to)) return `a place imports another place (${specifier})`;
  if (to === "lib") return undefined;
  const outsider = OUTSIDERS[from];
  if (outsider) {
    const allowed = kind === "type" ? [...outsider.types, ...outsider.values] : outsider.values;
    return allowed.includes(to) ? undefined : `${from} may not import ${specifier} as a ${kind}`;
  }
  if (to === "sandbox") {
    const isAllowed = kind === "lazy" && (from === "" || OPENS_SANDBOX.has(from));
    return isAllowed ? undefined : `${specifier} must be reached by a lazy import() from app, settings or connection`;
  }
  return rankOf(from) < rankOf(to) ? undefined : `${from} stands below ${to} (${specifier})`;
}

/** Whatever the rules of runs reach by value is as pure as they are, and no package. */
function checkPure(path: string, sources: Sources): string[] {
  if (homeOf(path) !== PURE) return [];
  const reached = new Set<string>();
  const problems: string[] = [];
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = sources[file] ?? "";
    const [word] = IMPURE.exec(withoutComments(text)) ?? [];
    if (word) problems.push(`${PURE} is pure, and ${file} knows ${word}`);
    for (const { specifier, kind } of importsOf(text)) {
      const target = resolve(file, specifier);
      if (target === undefined) problems.push(`${PURE} is pure, and ${file} imports ${specifier}`);
      else if (kind !== "type") visit(target);
    }
  };
  visit(path);
  return problems;
}

/** The order of `ROOMS`. A loose file is seen through: what counts is the rooms that it leads to. */
function checkRooms(path: string, sources: Sources): string[] {
  const folder = homeOf(path);
  const rooms = ROOMS[folder];
  const room = roomOf(path, folder);
  if (!rooms || room === undefined) return [];
  const rank = rooms.findIndex((level) => level.includes(room));
  if (rank === -1) return [`the room ${room} is in no table`];
  return targetsOf(path, sources).flatMap((target) => {
    const reached = roomsReached(target, folder, sources);
    const wrong = [...reached].find(
      (other) =>
        (other !== room || roomOf(target, folder) !== room) &&
        rooms.findIndex((level) => level.includes(other)) <= rank,
    );
    return wrong === undefined ? [] : [`the room ${room} does not stand above ${wrong} (${target})`];
  });
}

/** The room of `folder` in which a file lies; undefined for a loose file and for one of another folder. */
function roomOf(path: string, folder: string): string | undefined {
  const [, , room, ...rest] = path.split("/");
  return homeOf(path) === folder && rest.length > 0 ? room : undefined;
}

function targetsOf(path: string, sources: Sources): string[] {
  return importsOf(sources[path] ?? "").flatMap(({ specifier }) => resolve(path, specifier) ?? []);
}

/** The room of a file, or for a loose file the rooms that it leads to. */
function roomsReached(path: string, folder: string, sources: Sources, seen = new Set<string>()): Set<string> {
  const room = roomOf(path, folder);
  if (room !== undefined) return new Set([room]);
  if (homeOf(path) !== folder || seen.has(path)) return new Set();
  seen.add(path);
  return new Set(targetsOf(path, sources).flatMap((target) => [...roomsReached(target, folder, sources, seen)]));
}

/** Circles of imports, types and lazy ones included: at least one of each knot. */
function findCircles(sources: Sources): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at !== -1) circles.push(`${path}: imports itself by way of ${trail.slice(at + 1).join(", ")}`);
    if (at !== -1 || done.has(path)) return;
    for (const target of targetsOf(path, sources)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of Object.keys(sources)) if (path.startsWith("src/")) visit(path, []);
  return circles;
}

/**
 * The tests of rules that load a component, each with its way there: React and a screen cost such a file more than its
 * tests. An `import()` is no way, since it loads only what a test asks for.
 */
export function testsWithComponents(sources: Sources): string[] {
  return Object.keys(sources).flatMap((path) => {
    const way = NODE_TEST.test(path) && wayTo((target) => target.endsWith(".tsx"), path, sources);
    return way ? [way.join(" → ")] : [];
  });
}

/** The tests in Node that reach a stand-in for the page or its stores, but do not say so to `NEEDS_OWN_WORKER`. */
export function testsWithLeftovers(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([path, text]) => {
    if (!NODE_TEST.test(path) || NEEDS_OWN_WORKER.test(text)) return [];
    const way = wayTo((target) => STAYS_IN_WORKER.test(target), path, sources);
    return way ? [way.join(" → ")] : [];
  });
}

/** From a file to the first that is meant, itself included, by imports of values. */
function wayTo(
  isMeant: (path: string) => boolean,
  path: string,
  sources: Sources,
  seen = new Set<string>(),
): string[] | undefined {
  if (isMeant(path)) return [path];
  if (seen.has(path)) return undefined;
  seen.add(path);
  for (const { specifier, kind } of importsOf(sources[path] ?? "")) {
    const way = kind === "value" && wayTo(isMeant, resolve(path, specifier) ?? specifier, sources, seen);
    if (way) return [path, ...way];
  }
  return undefined;
}

function checkPackage(folder: string, specifier: string): string | undefined {
  if (WITHOUT_REACT.has(folder) && /^react(-dom)?(\/|$)/.test(specifier)) return `${folder} knows no React`;
  // Which lines of a list are in view has nothing to do with queries and routes.
  const isOfService = specifier.startsWith("@tanstack/") && specifier !== "@tanstack/react-virtual";
  if (WITHOUT_QUERIES.has(folder) && isOfService) return `${folder} imports ${specifier}`;
  if (folder !== "host" && specifier.startsWith("node:")) return `${specifier} exists only in the host`;
  return undefined;
}

/** The folder of the tables in which a file lies, such as `runs` or `runs/rules`; empty for files on top of all. */
function homeOf(path: string): string {
  const [, first = "", second = "", ...rest] = path.split("/");
  if (second === "") return "";
  const inner = `${first}/${second}`;
  return rest.length > 0 && isKnownFolder(inner) ? inner : first;
}

/** The path below src that a specifier means, or undefined for a package. */
function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return `src/${specifier.slice(1)}`;
  if (!specifier.startsWith(".")) return undefined;
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}

function rankOf(folder: string): number {
  return folder === "" ? -1 : LAYERS.findIndex((layer) => layer.includes(folder));
}

function isKnownFolder(folder: string): boolean {
  return LAYERS.some((layer) => layer.includes(folder)) || folder in OUTSIDERS;
}

const STATIC_IMPORT = /(?:^|[\n;}])\s*(import|export)\b(\s+type\b)?((?:[^"'`;()]|\n)*?)(\bfrom\s*)?["']([^"'\n]+)["']/g;
const LAZY_IMPORT = /\bimport\s*\(\s*["'`]([^"'`]+)["'`]/g;

const known = new Map<string, readonly Import[]>();

/** All imports and re-exports of a text, comments left out. A lazy `typeof import()` counts as lazy too. */
export function importsOf(text: string): readonly Import[] {
  const found = known.get(text) ?? findImports(text);
  known.set(text, found);
  return found;
}

function findImports(text: string): Import[] {
  const code = withoutComments(text);
  const found: Import[] = [];
  // A code sample in a template literal imports nothing.
  const statements = code.replace(/`[^`]*`/g, "``");
  for (const [, word, typeWord, names = "", from, specifier = ""] of statements.matchAll(STATIC_IMPORT)) {
    // The first text of `export type Word = "one" | "two"` is none.
    if (word === "export" && from === undefined) continue;
    found.push({ specifier, kind: typeWord || hasOnlyTypes(names) ? "type" : "value" });
  }
  for (const [, specifier = ""] of code.matchAll(LAZY_IMPORT)) found.push({ specifier, kind: "lazy" });
  return found;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");
}

function hasOnlyTypes(names: string): boolean {
  const inBraces = /^\s*\{([\s\S]*)\}\s*$/.exec(names)?.[1];
  if (inBraces === undefined) return false;
  const each = inBraces
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return each.length > 0 && each.every((name) => name.startsWith("type "));
}
