import { expect, test, vi } from "vitest";
import { perConnection } from "#connection/per-connection.ts";

test("makes one value per client, with the first call's arguments", () => {
  const create = vi.fn((client: { id: number }, accountId: string) => ({ id: client.id, accountId }));
  const of = perConnection(create);
  const [first, second] = [{ id: 1 }, { id: 2 }];
  expect(of(first, "a")).toBe(of(first, "b"));
  expect(of(first, "b")).toEqual({ id: 1, accountId: "a" });
  expect(of(second, "b")).toEqual({ id: 2, accountId: "b" });
  expect(create).toHaveBeenCalledTimes(2);
});

test("stores no failed value, but stores undefined", () => {
  const create = vi.fn<(client: object) => undefined>(() => undefined);
  create.mockImplementationOnce(() => {
    throw new Error("not yet");
  });
  const of = perConnection(create);
  const client = {};
  expect(() => of(client)).toThrow("not yet");
  of(client);
  of(client);
  expect(create).toHaveBeenCalledTimes(2);
});
