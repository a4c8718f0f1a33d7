import { describe, expect, it } from "vitest";
import {
  checkArchitecture,
  importsOf,
  type Sources,
  testsWithComponents,
  testsWithLeftovers,
} from "./setup/check-architecture.ts";
import { readSources } from "./setup/read-sources.ts";

const sources = readSources("src", "test");

it("reads the sources", () => {
  expect(Object.keys(sources)).toEqual(expect.arrayContaining(["src/api/types.ts", "test/architecture.test.ts"]));
});

it("keeps the dependency rule and the names", () => {
  expect(checkArchitecture(sources)).toEqual([]);
});

it("keeps components out of the tests of rules", () => {
  expect(testsWithComponents(sources)).toEqual([]);
});

it("has a worker for each test in Node that leaves something behind", () => {
  expect(testsWithLeftovers(sources)).toEqual([]);
});

it("names only tests that there are as those that begin first", () => {
  const named = [...(sources["test/setup/dearest-first.ts"] ?? "").matchAll(/"(test\/[^"]+)"/g)].map(
    ([, path]) => path,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path = "") => !(path in sources))).toEqual([]);
});

describe("the checker", () => {
  const planted: [path: string, text: string, complaint: RegExp][] = [
    ["src/runs/a.ts", 'import { x } from "#job/x.ts";', /runs stands below job/],
    ["test/runs/a.test.ts", 'import fc from "fast-check";', /fixes the seed/],
    ["src/runs/a.ts", 'import type { X } from "#job/x.ts";', /runs stands below job/],
    ["src/runs/a.ts", 'export { x } from "#app/x.ts";', /runs stands below app/],
    ["src/runs/a.ts", 'import {\n  x,\n  y,\n} from "#app/x.ts";', /runs stands below app/],
    ["src/media/a.ts", 'const x = () => import("#job/job-screen.tsx");', /media stands below job/],
    ["src/runs/submit/a.ts", 'const x = () => import("./recovery.ts");', /not among what is loaded late/],
    ["src/job/a.tsx", 'const x = lazy(() => import("./delete-dialog.tsx"));', /not among what is loaded late/],
    ["src/api/a.ts", 'import { x } from "#ui/x.ts";', /api stands below ui/],
    ["src/lib/a.ts", 'import { x } from "#api/x.ts";', /lib stands below api/],
    ["src/job/a.ts", 'import { x } from "#create/x.ts";', /another place/],
    ["src/job/a.ts", 'import { x } from "../create/x.ts";', /leaves its folder/],
    ["src/runs/a.ts", 'import { x } from "../media/x.ts";', /leaves its folder/],
    ["src/runs/submit/deep/a.ts", 'import { x } from "../../x.ts";', /climbs/],
    ["src/app/a.ts", 'import { x } from "#host/x.ts";', /nobody imports host/],
    ["src/app/a.ts", 'import { x } from "#sandbox/x.ts";', /lazy import/],
    ["src/runs/a.ts", 'const x = import("#sandbox/x.ts");', /lazy import/],
    ["src/sandbox/a.ts", 'import { x } from "#api/x.ts";', /sandbox may not import/],
    ["src/sandbox/a.ts", 'import { type X, y } from "#api/x.ts";', /sandbox may not import/],
    ["src/sandbox/a.ts", 'import type { X } from "#runs/x.ts";', /sandbox may not import/],
    ["src/host/a.ts", 'import { x } from "#connection/x.ts";', /host may not import/],
    ["src/api/a.ts", 'import { useState } from "react";', /no React/],
    ["src/ui/a.tsx", 'import { useQuery } from "@tanstack/react-query";', /ui imports @tanstack/],
    ["src/media/a.ts", 'import { join } from "node:path";', /only in the host/],
    ["src/text/a.ts", 'localStorage.setItem("a", "b");', /localStorage is used only in storage/],
    ["src/ui/a.ts", "const kept = window.sessionStorage;", /sessionStorage is used only in storage/],
    ["src/models/a.ts", 'const KEY = "safelight:stars";', /safelight:stars belongs into storage\/keys.ts/],
    ["src/runs/a.ts", 'indexedDB.open("a");', /indexedDB is used only in storage/],
    ["src/media/a.ts", 'await caches.open("a");', /caches.open is used only in storage/],
    ["src/runs/rules/a.ts", 'import { x } from "#api/x.ts";', /runs\/rules may not import/],
    ["src/runs/rules/a.ts", 'import type { X } from "#storage/x.ts";', /runs\/rules may not import/],
    ["src/runs/rules/a.ts", 'import { create } from "zustand";', /is pure, and .* imports zustand/],
    ["src/runs/rules/a.ts", "const now = () => Date.now();", /knows Date/],
    ["src/runs/rules/a.ts", "const today = new Date();", /knows Date/],
    ["src/runs/rules/a.ts", "await fetch(address);", /knows fetch/],
    ["src/runs/other/a.ts", "", /in no table/],
    ["src/results/viewer/a.ts", 'import { x } from "#batch/runner/x.ts";', /results stands below batch\/runner/],
    ["src/runs/ledger/a.ts", 'import { x } from "#runs/poll/use-jobs.ts";', /runs\/ledger stands below runs/],
    ["src/create/a.ts", 'import { x } from "#batch/table/x.ts";', /another place/],
    ["src/runs/index.ts", "", /index files/],
    ["src/runs/JobCard.tsx", "", /kebab-case/],
    ["src/runs/utils.ts", "", /says nothing/],
    ["src/connection/helpers/a.ts", "", /says nothing/],
    ["src/widgets/a.ts", "", /in no table/],
    ["src/runs/a.ts", "export default 1;", /default export/],
    ["test/runs/runsTest.test.ts", "", /kebab-case/],
  ];

  it.each(planted)("finds breach %# in %s", (path, text, complaint) => {
    expect(checkArchitecture({ [path]: text })).toEqual([expect.stringMatching(complaint)]);
  });

  const allowed: [path: string, text: string][] = [
    ["src/main.tsx", 'import { App } from "./app/app.tsx";\nimport "./styles.css";'],
    ["src/app/a.tsx", 'const x = lazy(() => import("#job/job-screen.tsx"));'],
    ["src/app/a.tsx", 'const x = () => import("#sandbox/page-door.ts");'],
    ["src/job/a.tsx", 'import { x } from "./x.ts";\nimport { useJob } from "#runs/poll/use-jobs.ts";'],
    ["src/create/a.ts", 'import { x } from "#batch/runner/x.ts";'],
    ["src/runs/a.ts", 'import { x } from "#runs/ledger/x.ts";'],
    ["src/sandbox/a.ts", 'import type { Job } from "#api/types.ts";\nimport { type Model } from "#api/types.ts";'],
    ["src/host/a.ts", 'import { join } from "node:path";\nconst x = import("#sandbox/x.ts");'],
    ["src/host/a.ts", 'import { x } from "#runs/rules/x.ts";'],
    ["src/api/a.ts", 'import { x } from "#runs/rules/x.ts";'],
    ["src/runs/rules/a.ts", 'import type { Job } from "#api/types.ts";'],
    ["src/api/a.ts", '// import { x } from "#ui/x.ts";\n/* import "#app/x.ts"; */'],
    ["src/runs/a.ts", 'const sample = `\nimport { x } from "node:fs";\n`;'],
    ["src/runs/poll/a.ts", 'import { x } from "../x.ts";'],
    ["src/storage/a.ts", 'localStorage.setItem("a", "b");'],
    ["src/text/a.ts", "// Not in localStorage: see storage/."],
  ];

  it.each(allowed)("allows case %# in %s", (path, text) => {
    expect(checkArchitecture({ [path]: text })).toEqual([]);
  });

  it("keeps the order of the rooms of a folder, through loose files too", () => {
    const check = (sources: Sources) => checkArchitecture(sources).join("\n");
    const complaint = /^src\/runs\/poll\/a\.ts: the room poll does not stand above submit/;
    expect(check({ "src/runs/poll/a.ts": 'import { x } from "../submit/x.ts";' })).toMatch(complaint);
    expect(check({ "src/runs/poll/a.ts": 'import type { X } from "#runs/submit/x.ts";' })).toMatch(complaint);
    const loose = { "src/runs/b.ts": 'import { x } from "./submit/x.ts";' };
    expect(check({ ...loose, "src/runs/poll/a.ts": 'import { x } from "../b.ts";' })).toMatch(complaint);
    expect(check({ ...loose, "src/runs/submit/a.ts": 'import { x } from "../b.ts";' })).toMatch(/submit/);
    expect(check({ "src/results/archive/a.ts": 'import { x } from "../reuse/x.ts";' })).toMatch(/above reuse/);
    expect(check({ "src/runs/unknown/a.ts": "" })).toMatch(/the room unknown is in no table/);
    const below = { "src/runs/b.ts": 'import { x } from "./poll/x.ts";' };
    expect(check({ ...below, "src/runs/submit/a.ts": 'import { x } from "../b.ts";\nimport "./y.ts";' })).toBe("");
  });

  it("finds the way of a test to a component, by values alone", () => {
    const rule = { "src/ui/b.ts": 'import { C } from "#ui/c.tsx";', "src/ui/c.tsx": "" };
    const way = "test/ui/a.test.ts → test/ui/world.ts → src/ui/b.ts → src/ui/c.tsx";
    const world = { "test/ui/world.ts": 'import { b } from "#ui/b.ts";', ...rule };
    expect(testsWithComponents({ "test/ui/a.test.ts": 'import "./world.ts";', ...world })).toEqual([way]);
    expect(testsWithComponents({ "test/ui/a.test.tsx": 'import "./world.ts";', ...world })).toEqual([]);
    expect(testsWithComponents({ "test/ui/a.test.ts": 'await import("./world.ts");', ...world })).toEqual([]);
    expect(testsWithComponents({ "test/ui/a.test.ts": 'import type { W } from "./world.ts";', ...world })).toEqual([]);
  });

  it("finds a test that shares its worker and reaches a stand-in for the page", () => {
    const world = { "test/ui/world.ts": 'import "../setup/page-stand-in.ts";\nimport "fake-indexeddb/auto";' };
    const way = "test/ui/a.test.ts → test/ui/world.ts → test/setup/page-stand-in.ts";
    expect(testsWithLeftovers({ "test/ui/a.test.ts": 'import "./world.ts";', ...world })).toEqual([way]);
    expect(testsWithLeftovers({ "test/ui/a.test.ts": 'import "fake-indexeddb/auto";' })).toEqual([]);
  });

  it("finds a circle of imports, types included", () => {
    const circle = {
      "src/ui/a.ts": 'import { b } from "./b.ts";',
      "src/ui/b.ts": 'import type { A } from "#ui/a.ts";',
    };
    expect(checkArchitecture(circle)).toEqual(["src/ui/a.ts: imports itself by way of src/ui/b.ts"]);
  });

  it("finds what is not pure by way of another file", () => {
    const rules = {
      "src/runs/rules/a.ts": 'import { wait } from "#lib/wait.ts";',
      "src/lib/wait.ts": "export const wait = (ms: number) => setTimeout(() => {}, ms);",
    };
    const complaint = [expect.stringMatching(/src\/lib\/wait\.ts knows setTimeout/)];
    expect(checkArchitecture(rules)).toEqual(complaint);
    const late = { ...rules, "src/runs/rules/a.ts": 'const wait = () => import("#lib/wait.ts");' };
    expect(checkArchitecture(late)).toEqual([expect.stringMatching(/loaded late/), ...complaint]);
  });

  it("tells values, types and lazy imports apart", () => {
    const text = `import a, { type B } from "a";\nimport type { C } from "c";\nexport * from "d";\nimport "e.css";\nawait import("f");`;
    expect(importsOf(text)).toEqual([
      { specifier: "a", kind: "value" },
      { specifier: "c", kind: "type" },
      { specifier: "d", kind: "value" },
      { specifier: "e.css", kind: "value" },
      { specifier: "f", kind: "lazy" },
    ]);
  });
});
