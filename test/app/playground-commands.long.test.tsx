import { describe, expect, test } from "vitest";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { collectUnknown, strayCommands } from "./acts-on-screen.ts";
import { playgroundStates, storeStates } from "./playground-states.ts";

openSandboxPage();

describe("the palette and the list of keys know every act of Playground, with each of its menus", () => {
  test.each(playgroundStates())("in $name", async (state) => {
    await storeStates([state]);
    expect(await collectUnknown("/playground", state.isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });
});
