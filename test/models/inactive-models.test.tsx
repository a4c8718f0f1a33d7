import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { connect } from "#connection/connection-store.ts";
import { noteModelAnswer, useInactiveModels } from "#models/inactive-models.ts";

const service = { queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://t.example", key: "key-1" };
const inactive = new RefusedError({ status: 404, message: "Model m is inactive", hasEnvelope: true });
let accountId = "";

beforeEach(async () => {
  localStorage.clear();
  ({ accountId } = await connect(service));
});

const marked = () => Object.keys(renderHook(useInactiveModels).result.current);

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
