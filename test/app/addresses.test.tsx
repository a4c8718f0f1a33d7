import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, test } from "vitest";
import { readBatchSearch } from "#batch/batch-search.ts";
import { readPriceSearch } from "#batch/prices/price-search.ts";
import { readConnectSearch } from "#connect/connect-search.ts";
import { readCreateSearch } from "#create/create-search.ts";
import { readHistorySearch } from "#history/history-search.ts";
import { readPlaygroundSearch } from "#playground/playground-search.ts";
import { readSpendSearch } from "#spend/spend-filter.ts";
import fc from "../setup/fc.ts";
import { openStudio } from "./open-studio.tsx";

const READERS = {
  readBatchSearch,
  readConnectSearch,
  readCreateSearch,
  readHistorySearch,
  readPlaygroundSearch,
  readPriceSearch,
  readSpendSearch,
};

describe.each(Object.entries(READERS))("an address read by %s", (_, read) => {
  const names = Object.keys(read({}));
  const raw = fc.oneof(
    fc.anything({ withNullPrototype: true }),
    fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(fc.string(), fc.jsonValue(), fc.anything())]))),
  );

  it("is the same once it was read, whatever it says", () => {
    fc.assert(
      fc.property(raw, (value) => {
        const search = read(value);
        expect(read(search)).toEqual(search);
      }),
    );
  });

  // The router puts what was read over what the address says: a name that is left out would keep its raw value.
  it("has every name, and no default is written into it", () => {
    fc.assert(
      fc.property(raw, (value) => {
        expect(Object.keys(read(value))).toEqual(names);
      }),
    );
    expect(Object.values(read({})).every((value) => value === undefined)).toBe(true);
  });
});

const ODD = encodeURIComponent('{"toString":1,"valueOf":1}');

test.each([
  [`/create/lumen-2?job=${ODD}&keep=most&put=ftp:file&as=text`, "Create", "/create/lumen-2"],
  [`/batch?view=${ODD}&show=[1]&recipe=null`, "Batch", "/batch"],
  [`/prices/lumen-2?rows=${ODD}&columnValues=[1]`, "Price table", "/prices/lumen-2"],
  [`/history?type=hologram&after=yesterday&view=grid&q=${ODD}`, "History", "/history"],
  [`/playground?model=${ODD}&ask=[1]`, "Playground", "/playground"],
  [`/spend?range=${ODD}&state=won&model=[1]`, "Spend", "/spend"],
  // Digits are a text of the address as well, and stay digit by digit.
  ["/history?q=true&model=42", "History", "/history?q=%22true%22&model=%2242%22"],
  ["/history?q=12345678901234567890&model=1.10", "History", "/history?q=12345678901234567890&model=1.10"],
  ["/spend?range=30", "Spend", "/spend"],
])("an odd address opens its screen without what is not understood: %s", async (address, name, read) => {
  const { where } = await openStudio(address);
  await screen.findByRole("heading", { level: 1 });
  await waitFor(() => expect(document.title).toBe(`${name} · Safelight`));
  await waitFor(() => expect(where()).toBe(read));
  expect(screen.queryByText("Something went wrong in Safelight")).not.toBeInTheDocument();
});
