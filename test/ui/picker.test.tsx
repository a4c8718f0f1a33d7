import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { Picker, type PickerItem, PickerRow } from "#ui/picker.tsx";
import { giveLayout } from "../setup/give-layout.ts";

const many = Array.from({ length: 60 }, (_, at): PickerItem => ({ id: `model ${at + 1}` }));

function openPicker(
  items: readonly PickerItem[],
  rest: { takesSeveral?: boolean; canPickWithEnter?: () => boolean } = {},
) {
  onTestFinished(giveLayout({ height: 480 }));
  const onPick = vi.fn();
  function Shown() {
    const [search, setSearch] = useState("");
    return (
      <Picker
        label="Models"
        placeholder="Search"
        search={search}
        onSearch={setSearch}
        items={items.filter(({ id }) => id.includes(search))}
        onPick={({ id }) => onPick(id)}
        row={({ id }) => <PickerRow title={id} />}
        empty={(toSearch) => (
          <button type="button" onClick={toSearch}>
            Nothing fits
          </button>
        )}
        {...rest}
      />
    );
  }
  render(<Shown />);
  return { onPick, user: userEvent.setup(), search: screen.getByRole("searchbox", { name: "Search models" }) };
}

const row = (name: string) => screen.getByRole("button", { name });

it("Enter in the search chooses the first that fits, once for each press, and nothing where nothing was typed", async () => {
  const { onPick, user, search } = openPicker(many);
  await user.click(search);
  await user.keyboard("{Enter}");
  expect(onPick).not.toHaveBeenCalled();
  await user.keyboard("model 4");
  fireEvent.keyDown(search, { key: "Enter" });
  fireEvent.keyDown(search, { key: "Enter", repeat: true });
  expect(onPick.mock.calls).toEqual([["model 4"]]);
});

it("Enter in the search chooses only what may be chosen without a look at the list", async () => {
  const { onPick, user, search } = openPicker(many, { canPickWithEnter: () => false });
  await user.click(search);
  await user.keyboard("model 4{Enter}");
  expect(onPick).not.toHaveBeenCalled();
  await user.keyboard("{ArrowDown}{Enter}");
  expect(onPick.mock.calls).toEqual([["model 4"]]);
});

it("the arrows go on from the row that was pressed, and a search begins at the top again", async () => {
  const { user, search } = openPicker(many, { takesSeveral: true });
  await user.click(row("model 5"));
  await user.keyboard("{ArrowDown}");
  expect(row("model 6")).toHaveFocus();
  expect(row("model 6")).toHaveAttribute("tabindex", "0");
  await user.keyboard("{End}");
  expect(row("model 60")).toHaveFocus();
  // Typing goes on in the search.
  await user.keyboard("model 1");
  expect(search).toHaveValue("model 1");
  await user.tab();
  expect(row("model 1")).toHaveFocus();
  await user.keyboard("{ArrowUp}");
  expect(search).toHaveFocus();
});

it("headings stand above what they are of, and are passed over by the keys and by the count", async () => {
  const { user, search } = openPicker([
    { id: "a", group: "First" },
    { id: "b", group: "First" },
    { id: "heading First", group: "Second" },
  ]);
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual(["First", "Second"]);
  const items = within(screen.getByRole("list", { name: "Models" })).getAllByRole("listitem");
  expect(items.map((item) => item.getAttribute("aria-posinset"))).toEqual(["1", "2", "3"]);
  await user.click(search);
  await user.keyboard("{ArrowDown}{End}");
  expect(row("heading First")).toHaveFocus();
});

it("what stands in place of an empty list can lead back to the search", async () => {
  const { user, search } = openPicker(many);
  await user.type(search, "x");
  await user.click(row("Nothing fits"));
  expect(search).toHaveFocus();
});
