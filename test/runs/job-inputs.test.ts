import { describe, expect, it } from "vitest";
import { refusedAddresses } from "#runs/job-inputs.ts";

// Spec 4.1 rule 4.
describe("a host that refuses the service", () => {
  const job = (failureReason: string, status = "failed") => ({
    requestId: "1",
    model: "m",
    payload: { image: "https://a.example/1.png", other: "https://b.example/2.png" },
    priceMicroUsd: undefined,
    submittedAtMs: 0,
    status,
    origin: "answered" as const,
    media: [],
    createdAtSeconds: 1,
    updatedAtSeconds: 1,
    failureReason,
    raw: {},
  });

  it("is recognised by the reason of a failed job", () => {
    const named = refusedAddresses([job("Could not fetch the input https://a.example/1.png: the host refused.")]);
    expect([...named]).toEqual(["https://a.example/1.png"]);
    expect(refusedAddresses([job("Failed to download input file.")]).size).toBe(2);
    expect(refusedAddresses([job("The safety filter stopped this generation.")]).size).toBe(0);
    expect(refusedAddresses([job("the host refused", "success")]).size).toBe(0);
  });
});
