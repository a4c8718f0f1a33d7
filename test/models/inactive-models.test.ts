import { beforeEach, expect, it } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { inactiveModels, noteModelAnswer } from "#models/inactive-models.ts";
import { resetPage } from "../setup/page-stand-in.ts";

const inactive = new RefusedError({ status: 404, message: "Model m is inactive", hasEnvelope: true });
let accountId = "";
let accounts = 0;

beforeEach(() => {
  resetPage();
  accounts += 1;
  accountId = `account-${accounts}`;
});

const marked = () => Object.keys(inactiveModels(accountId));

it("a model that a submit found inactive stays marked until a submit is accepted", () => {
  noteModelAnswer(accountId, "m", "submit", inactive);
  expect(marked()).toEqual(["m"]);
  // Some services tell the price of what they do not run.
  noteModelAnswer(accountId, "m", "estimate");
  noteModelAnswer(accountId, "m", "submit", new RefusedError({ status: 503, message: "busy" }));
  expect(marked()).toEqual(["m"]);
  noteModelAnswer(accountId, "m", "submit");
  expect(marked()).toEqual([]);
});

it("other refusals, and those of the studio's own host, mark nothing", () => {
  const ofHost = new RefusedError({ status: 404, message: "Host m is inactive", hostReason: "not_a_target" });
  noteModelAnswer(accountId, "n", "submit", new RefusedError({ status: 404, message: "No such model" }));
  noteModelAnswer(accountId, "n", "submit", ofHost);
  expect(marked()).toEqual([]);
});
