import { expect, it } from "vitest";
import { ownPath } from "#host/access/access-routes.ts";
import fc from "../../setup/fc.ts";
import { PASSWORD, signIn, startTeamHost } from "./access-world.ts";

const NASTY = [
  "/.//evil.example",
  "/..//evil.example",
  "/a/..//evil.example",
  "/a/b/../..//evil.example/x?y",
  "/%2e//evil.example",
  "/%2E%2e//evil.example",
  "/x/%2e%2e//evil.example",
  "/./\t/evil.example",
  "/.\n//evil.example",
  "/.\\/evil.example",
  "///evil.example",
  "/\u2028//evil.example",
  "/@evil.example//",
  "/access/../access/end",
  "/./access",
];

it.each(NASTY)("leads to a path of this host after signing in from %j", async (to) => {
  const location = (await signIn(await startTeamHost(), PASSWORD, {}, to)).headers.location ?? "";
  expect(new URL(location, "http://host.test").origin).toBe("http://host.test");
  expect(location).not.toMatch(/^\/[/\\]|^\/access/);
});

const PARTS = [
  "/",
  "\\",
  ".",
  "..",
  "%2e",
  "%2f",
  "%5c",
  "\t",
  "\n",
  "\r",
  "@",
  ":",
  "?",
  "#",
  "evil.example",
  "a",
  "https:",
  "\u0000",
  "é",
  "access",
];

it("gives a path of this host with one slash for whatever is asked", () => {
  const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => `/${parts.join("")}`);
  fc.assert(
    fc.property(fc.oneof(texts, fc.string(), fc.webPath()), (to) => {
      const path = ownPath(to);
      const url = new URL(path, "https://host.test");
      expect(url.origin).toBe("https://host.test");
      expect(url.pathname + url.search).toBe(path);
      expect(path).toMatch(/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/);
    }),
    { numRuns: 5000 },
  );
});
