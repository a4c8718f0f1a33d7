import { csvText } from "#lib/csv-cell.ts";
import { formatMicroUsd } from "#lib/money.ts";
import type { PriceTable } from "./use-price-table.ts";

/** The table as a CSV: exact prices in dollars; a combination that is not available says so. */
export function priceCsv({ axes: { rows, columns }, cells, priceOf }: PriceTable): string {
  const corner = [rows?.field.label, columns?.field.label].filter((label) => label !== undefined).join(" by ");
  const header = [`${corner || "Price"} (USD)`, ...(columns?.values.map(({ label }) => label) ?? ["Price"])];
  const lines = (rows?.values ?? [{ label: "" }]).map(({ label }, at) => [
    label,
    ...cells
      .filter(({ row }) => row === at)
      .map((cell) => {
        const price = priceOf(cell);
        if (price.state === "off") return "not available";
        return price.state === "priced" ? formatMicroUsd(price.priceMicroUsd).slice(1).replaceAll(",", "") : "";
      }),
  ]);
  return csvText([header, ...lines]);
}
