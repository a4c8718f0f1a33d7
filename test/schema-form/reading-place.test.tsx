import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useMemo } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { ReadingPanel } from "#schema-form/form/reading-panel.tsx";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import { rememberPlace, useReadingHints } from "#schema-form/read/place-store.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

const text = (title: string) => ({ type: "string", title });
const schema = (properties: object) => ({ type: "object", properties });

/** Two operations that may both be meant. */
const TWO = {
  notes: { kept: "calm" },
  data: {
    operations: [
      { schema: schema({ prompt: text("Prompt"), seed: { type: "integer", title: "Seed" } }) },
      { schema: schema({ prompt: text("Prompt"), image_url: text("Picture") }) },
    ],
  },
};

beforeEach(() => {
  localStorage.clear();
  rememberPlace("", undefined);
});

function Screen({ answer }: { answer: unknown }) {
  const hints = useReadingHints("m");
  const read = useMemo(() => readSchema(answer, hints), [answer, hints]);
  const form = useSchemaForm({ modelId: "m", schema: read });
  return (
    <>
      <SchemaForm form={form} />
      <ReadingPanel modelId="m" schema={read} />
    </>
  );
}

async function show(answer: unknown) {
  const view = render(<Screen answer={answer} />);
  return { ...view, user: userEvent.setup() };
}

/** The tree in the open panel. */
async function openTree(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole("button", { name: /^Field mapping/ }));
  await user.click(await screen.findByRole("button", { name: "Choose another place" }));
  return screen.getByRole("tree", { name: "Raw response about this model" });
}

describe("where a form was read", () => {
  it("is said in plain words, without the plumbing of documents", async () => {
    const Input = schema({ prompt: text("Prompt") });
    const { user } = await show({
      data: { latest_version: { openapi_schema: { openapi: "3", components: { schemas: { Input } } } } },
    });
    await user.click(
      screen.getByRole("button", { name: "Field mapping (advanced): 1 field from an OpenAPI document" }),
    );
    expect(await screen.findByText("Found at data › latest_version › openapi_schema › Input.")).toBeVisible();
  });

  it("is said above the form where it is in doubt, with the other place beside it", async () => {
    const { user } = await show(TWO);
    const doubt = await screen.findByRole("status", { name: "Field mapping is uncertain" });
    expect(doubt).toHaveTextContent("Another part of the response may be the right one.");
    expect(screen.getByLabelText("Seed")).toBeVisible();
    await user.click(within(doubt).getByRole("button", { name: "Use data › operations › item 2 › schema (2 fields)" }));
    expect(screen.getByText("Picture")).toBeVisible();
    expect(screen.queryByLabelText("Seed")).not.toBeInTheDocument();
    expect(screen.queryByRole("status", { name: "Field mapping is uncertain" })).not.toBeInTheDocument();
  });

  it("is said without doubt where nothing else could be meant", async () => {
    await show({
      parameters: [{ name: "prompt", display_name: "Prompt", type: "string" }],
      output_schema: schema({ url: text("Url") }),
    });
    expect(await screen.findByLabelText("Prompt")).toBeVisible();
    expect(screen.queryByRole("status", { name: "Field mapping is uncertain" })).not.toBeInTheDocument();
  });
});

describe("pointing at another place", () => {
  it("is done by keyboard, kept for other models, and undone by the guess", async () => {
    const { user, unmount } = await show(TWO);
    const tree = await openTree(user);
    expect(within(tree).getAllByText("2 fields")).toHaveLength(2);
    const chosen = within(tree).getByRole("treeitem", { selected: true });
    expect(chosen).toHaveTextContent("schema");
    await user.click(within(tree).getByText("notes"));
    expect(screen.getByText("There are no parameters at notes.")).toBeVisible();
    // From "operations" to the schema of its second entry.
    within(tree).getByText("operations").closest<HTMLElement>("[role=treeitem]")?.focus();
    await user.keyboard(
      "{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowLeft}{ArrowLeft}{ArrowRight}{ArrowRight}{Enter}",
    );
    expect(screen.getByText("Chosen by you: data › operations › item 2 › schema.")).toBeVisible();
    unmount();
    const [, second] = TWO.data.operations;
    render(<Screen answer={{ data: { operations: [{ schema: schema({ a: text("A") }) }, second] } }} />);
    expect(screen.getByText("Picture")).toBeVisible();
    await user.click(screen.getByRole("button", { name: /^Field mapping/ }));
    await user.click(await screen.findByRole("button", { name: "Use automatic detection" }));
    expect(screen.queryByRole("button", { name: "Use automatic detection" })).not.toBeInTheDocument();
  });

  it("does nothing to a model whose answer has no such place", async () => {
    rememberPlace("", ["somewhere", "else"]);
    await show({ parameters: [{ name: "prompt", display_name: "Prompt", type: "string" }] });
    expect(await screen.findByLabelText("Prompt")).toBeVisible();
  });
});

describe("an answer in which nothing is found", () => {
  it("is shown beside the JSON editor, with what to do", async () => {
    const { user } = await show({
      model: "m",
      notes: "a\u202eb",
      layout: { custom_fields: { mood: "calm", glow: "soft" } },
    });
    expect(await screen.findByRole("textbox", { name: "Payload as JSON" })).toBeVisible();
    expect(screen.getByText(/has no readable list of parameters.*before anything is charged\.$/)).toBeVisible();
    const answer = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Response as text" });
    expect(answer.value).toContain('"glow": "soft"');
    expect(answer.value).toContain("a⟨U+202E⟩b");
    await user.click(screen.getByRole("button", { name: "Choose the list of parameters" }));
    expect(screen.getByRole("treeitem", { name: /layout/ })).toBeVisible();
  });

  it("is no empty listing: that is a model without parameters", async () => {
    await show({ model: "m", parameters: [] });
    expect(screen.getByText(/has no parameters: its list \(parameters\) is empty/)).toBeVisible();
    expect(screen.queryByRole("textbox", { name: "Payload as JSON" })).not.toBeInTheDocument();
  });
});

// H9
it("a tree of a large answer has a bounded number of rows", async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, { at }]));
  const { user } = await show({ parameters: [{ name: "prompt", type: "string" }], many });
  const tree = await openTree(user);
  await user.click(
    within(tree).getByText("many").closest("[role=treeitem]")?.querySelector("[data-toggle]") as Element,
  );
  expect(within(tree).getAllByRole("treeitem").length).toBeLessThan(150);
});
