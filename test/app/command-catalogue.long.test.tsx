import { describe, expect, test } from "vitest";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { givePhone } from "../setup/give-phone.ts";
import { collectUnknown, strayCommands } from "./acts-on-screen.ts";
import { isOnPhones, makeJobs, screenStates } from "./screen-states.ts";

const sandbox = openSandboxPage(makeJobs);

describe("the palette and the list of keys know every act, with each menu", () => {
  test.each(screenStates.filter(isOnPhones))("on a phone, in $name", async ({ open, isThere }) => {
    givePhone();
    expect(await collectUnknown(await open(sandbox()), isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });

  test.each(screenStates)("in $name", async ({ open, isThere }) => {
    expect(await collectUnknown(await open(sandbox()), isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });
});
