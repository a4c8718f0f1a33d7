import { describe, test } from "vitest";
import type { ReadEndpoint } from "./endpoint-drivers.ts";
import { ENDPOINTS } from "./fault-network.ts";
import { casesOf, FAULT_NAMES } from "./faults.ts";
import { playCell } from "./play-cell.ts";
import { failOnStrayErrors } from "./stray-errors.ts";

failOnStrayErrors();

const READS = ENDPOINTS.filter((endpoint): endpoint is ReadEndpoint => endpoint !== "submit");

describe.each(READS)("%s", (endpoint) => {
  test.each(FAULT_NAMES)("ends as it must with: %s", async (name) => {
    for (const faultCase of casesOf(name)) await playCell(endpoint, faultCase);
  });
});
