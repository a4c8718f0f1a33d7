import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { GRID_LINE, GridTable, placeLine } from "#ui/table.tsx";

const columns = [
  { key: "name", head: "Name", width: "1fr" },
  { key: "price", head: "Price", width: "72px" },
];

function renderGrid(hasHead: boolean) {
  render(
    <GridTable
      label="Runs"
      columns={hasHead ? columns : undefined}
      lineCount={1000}
      height={34_000}
      activeCell="cell-41"
    >
      <tr {...placeLine(41, 41 * 34, 34, hasHead)} className={GRID_LINE}>
        <td id="cell-41">A fox</td>
      </tr>
    </GridTable>,
  );
  return screen.getByRole("grid", { name: "Runs" });
}

it("counts all lines of a grid, of which few are rendered, and names the active cell", () => {
  const grid = renderGrid(true);
  expect(grid).toHaveAttribute("aria-rowcount", "1001");
  expect(grid).toHaveAttribute("aria-activedescendant", screen.getByRole("cell", { name: "A fox" }).id);
  const row = within(grid).getByRole("row", { name: "A fox" });
  expect(row).toHaveAttribute("aria-rowindex", "43");
  expect(row).toHaveStyle({ transform: "translateY(1394px)", height: "34px" });
});

it("keeps its heads in sight: what sticks is their group, since a line within it has nowhere to go", () => {
  renderGrid(true);
  expect(screen.getByRole("columnheader", { name: "Price" }).closest("thead")).toHaveClass("sticky", "top-0");
});

it("is a grid of tiles without heads", () => {
  const grid = renderGrid(false);
  expect(screen.queryByRole("columnheader")).toBeNull();
  expect(grid).toHaveAttribute("aria-rowcount", "1000");
  expect(within(grid).getByRole("row", { name: "A fox" })).toHaveAttribute("aria-rowindex", "42");
});
