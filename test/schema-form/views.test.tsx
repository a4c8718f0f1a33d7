import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useMemo } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodeView } from "#create/code-view.tsx";
import { type Upload, useUploadStore } from "#media/upload/upload-store.ts";
import { rememberPrompt } from "#schema-form/controls/prompt-memory.ts";
import { draftToPayload, payloadToDraft } from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { JsonView } from "#schema-form/form/json-view.tsx";
import { ReadingPanel } from "#schema-form/form/reading-panel.tsx";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import { mediaValue } from "#schema-form/media-value.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { rememberPlace, useReadingHints, useRoleCorrections } from "#schema-form/read/reading-hints.ts";
import { renderForm } from "./render-form.tsx";

const LISTING = [
  { name: "prompt", display_name: "Prompt", type: "string", required: true },
  { name: "steps", display_name: "Steps", type: "integer", min_value: 1, max_value: 50 },
];

beforeEach(() => {
  localStorage.clear();
  rememberPlace("", undefined);
});

describe("form and JSON are two views of one payload", () => {
  function renderBoth(initialPayload = {}) {
    const schema = readSchema(LISTING);
    const handle: { current?: FormHandle } = {};
    function Screen() {
      const form = useSchemaForm({ modelId: "m", schema, initial: payloadToDraft(initialPayload) });
      handle.current = form;
      return (
        <>
          <SchemaForm form={form} />
          <JsonView form={form} />
        </>
      );
    }
    render(<Screen />);
    const json = () => screen.getByRole("textbox", { name: "Settings as JSON" });
    const write = (text: string) => fireEvent.change(json(), { target: { value: text } });
    return { user: userEvent.setup(), handle: () => handle.current as FormHandle, json, write };
  }

  it("text typed in one shows in the other", async () => {
    const { user, json, write, handle } = renderBoth();
    await user.type(screen.getByLabelText("Prompt"), "fog");
    expect(json()).toHaveValue('{\n  "prompt": "fog"\n}');
    write('{"prompt":"sun","steps":7}');
    expect(screen.getByLabelText("Prompt")).toHaveValue("sun");
    expect(screen.getByLabelText("Steps")).toHaveValue("7");
    expect(handle().getPayload()).toEqual({ prompt: "sun", steps: 7 });
  });

  it("unknown keys survive edits in the form, which says so", async () => {
    const { user, write, handle } = renderBoth();
    write('{"__proto__":{"a":1},"constructor":2,"prompt":"sun","new.key":[null]}');
    await user.type(screen.getByLabelText("Prompt"), "s");
    expect(JSON.stringify(handle().getPayload())).toBe(
      '{"__proto__":{"a":1},"constructor":2,"prompt":"suns","new.key":[null]}',
    );
    expect(screen.getByText("new.key")).toBeVisible();
  });

  it("keeps an invalid JSON text and blocks the run", async () => {
    const { json, write, handle } = renderBoth({ prompt: "fog" });
    for (const text of ['{"prompt":', "[1]", '{"steps":12345678901234567890}']) {
      write(text);
      expect(json()).toHaveValue(text);
      expect(handle().getPayload()).toEqual({ prompt: "fog" });
      expect(handle().getProblems()).not.toEqual([]);
    }
    act(() => handle().setPayload({ prompt: "fog" }));
    expect(json()).toHaveValue('{\n  "prompt": "fog"\n}');
    expect(handle().getProblems()).toEqual([]);
    write("{");
    write('{ "prompt" : "x" }');
    expect(json()).toHaveValue('{ "prompt" : "x" }');
    expect(handle().getProblems()).toEqual([]);
  });

  it("a listing that cannot be read is edited as JSON", async () => {
    const { handle } = await renderForm("n/a");
    fireEvent.change(await screen.findByRole("textbox", { name: "Settings as JSON" }), {
      target: { value: '{"a":1}' },
    });
    expect(handle().getPayload()).toEqual({ a: 1 });
  });
});

describe("a whole payload set from outside", () => {
  it("replaces every field and resets to the model's own defaults", async () => {
    const { handle } = await renderForm([
      ...LISTING,
      { name: "mode", type: "string", required: true, default_value: "std" },
    ]);
    act(() => handle().setPayload({ steps: 3 }));
    expect(handle().getPayload()).toEqual({ steps: 3 });
    act(() => handle().reset());
    expect(handle().getPayload()).toEqual({ mode: "std" });
  });

  // Spec 7.
  it("puts the service's refusal beside the field that it names until that field changes", async () => {
    const { handle, user } = await renderForm(LISTING, { prompt: "fog" });
    act(() => void handle().refuse('Unknown value for "steps".'));
    expect(screen.getByText('Unknown value for "steps".')).toBeVisible();
    expect(handle().getProblems()).toEqual([]);
    await user.type(screen.getByLabelText("Steps"), "5");
    expect(screen.queryByText('Unknown value for "steps".')).not.toBeInTheDocument();
  });

  it("keeps a refusal while another field is typed into and Run is pressed", async () => {
    const { handle, user } = await renderForm(LISTING, { prompt: "fog", steps: 7 });
    act(() => void handle().refuse('Unknown value for "steps".'));
    await user.type(screen.getByLabelText("Prompt"), "gy");
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(screen.getByText('Unknown value for "steps".')).toBeVisible();
    expect(screen.getByLabelText("Steps")).toHaveFocus();
    act(() => handle().setPayload({ prompt: "foggy", steps: 8 }));
    expect(screen.queryByText('Unknown value for "steps".')).not.toBeInTheDocument();
  });

  it("reports a draft's errors at once, but not its missing values", async () => {
    await renderForm(LISTING, { steps: 90 });
    expect(screen.getByText("Steps must be from 1 to 50.")).toBeVisible();
    expect(screen.queryByText("Prompt is required.")).not.toBeInTheDocument();
  });

  it("empties the boxes on reset, and forgets that Run was pressed", async () => {
    const { handle, user } = await renderForm(LISTING);
    await user.type(screen.getByLabelText("Steps"), "7");
    await user.click(screen.getByRole("button", { name: "Run" }));
    await user.type(screen.getByLabelText("Prompt"), "fog");
    act(() => handle().reset());
    expect(screen.getByLabelText("Prompt")).toHaveValue("");
    expect(screen.getByLabelText("Steps")).toHaveValue("");
    expect(screen.queryByText("Prompt is required.")).not.toBeInTheDocument();
    await user.type(screen.getByLabelText("Prompt"), "sun");
    expect(handle().getPayload()).toEqual({ prompt: "sun" });
  });

  it("says what is missing once its field was emptied and left", async () => {
    const { user } = await renderForm(LISTING);
    await user.click(screen.getByLabelText("Prompt"));
    await user.tab();
    expect(screen.queryByText("Prompt is required.")).not.toBeInTheDocument();
    await user.type(screen.getByLabelText("Prompt"), "A");
    await user.clear(screen.getByLabelText("Prompt"));
    await user.tab();
    expect(screen.getByText("Prompt is required.")).toBeVisible();
  });

  it("applies a condition while the field that sets it has its value", async () => {
    const { user } = await renderForm({
      properties: { a: { type: "string", title: "First" }, b: { type: "string", title: "Second" } },
      dependentRequired: { a: ["b"] },
    });
    await user.click(screen.getByRole("button", { name: "Run" }));
    await user.type(screen.getByLabelText("First"), "x");
    expect(screen.getByText("Second is required together with a.")).toBeVisible();
    await user.clear(screen.getByLabelText("First"));
    expect(screen.queryByText("Second is required together with a.")).not.toBeInTheDocument();
  });

  it("starts from the new listing when it is read again, and keeps the values", async () => {
    const before = readSchema(LISTING);
    const after = readSchema([...LISTING].reverse());
    const payloads: unknown[] = [];
    function Screen({ schema }: { schema: FormSchema }) {
      return (
        <SchemaForm
          form={useSchemaForm({ modelId: "m", schema, onChange: (next) => payloads.push(draftToPayload(next)) })}
        />
      );
    }
    const user = userEvent.setup();
    const { rerender } = render(<Screen schema={before} />);
    await user.type(screen.getByLabelText("Prompt"), "fog");
    rerender(<Screen schema={after} />);
    expect(screen.getByLabelText("Prompt")).toHaveValue("fog");
    await user.type(screen.getByLabelText("Steps"), "4");
    expect(payloads.at(-1)).toEqual({ prompt: "fog", steps: 4 });
  });
});

describe("a field that is shown as JSON, because its control cannot show its value", () => {
  it("keeps the files that are on their way to it", async () => {
    const face = { type: "string", contentMediaType: "image/*" };
    const schema = readSchema([
      { name: "cast", display_name: "Cast", type: "array", items: { type: "object", properties: { face } } },
    ]);
    const coming = mediaValue({ shape: "one" }, [{ upload: "u", replaces: "" }]);
    const handle: { current?: FormHandle } = {};
    function Screen() {
      const form = useSchemaForm({ modelId: "m", schema, initial: payloadToDraft({ cast: [{ face: coming }, 5] }) });
      handle.current = form;
      return <SchemaForm form={form} />;
    }
    useUploadStore.setState({ uploads: [uploadOf("u")] });
    render(<Screen />);
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Cast" });
    expect(JSON.parse(box.value)).toEqual([{}, 5]);
    fireEvent.change(box, { target: { value: "[{}, 6]" } });
    expect(handle.current?.getPayload()).toEqual({ cast: [{}, 6] });
    expect(handle.current?.getUploads()).toEqual(["u"]);
    useUploadStore.setState({ uploads: [] });
  });
});

const uploadOf = (id: string): Upload => ({
  id,
  accountId: "",
  modelId: "m",
  label: "Face",
  name: "a.png",
  file: undefined,
  hasField: true,
  state: { phase: "waiting" },
});

describe("the code view", () => {
  it("shows each language and copies it", async () => {
    const user = userEvent.setup();
    render(<CodeView queueBaseUrl="https://q.example/api/v1/queue" modelId="m" payload={{ prompt: "it's" }} />);
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Code in curl" }).value).toContain("$API_KEY");
    await user.click(screen.getByLabelText("Python"));
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(await navigator.clipboard.readText()).toContain("urlopen");
    expect(screen.getByRole("button", { name: "Copied" })).toBeVisible();
  });
});

describe("correcting a role", () => {
  function Panel({ listing }: { listing: unknown }) {
    const hints = useRoleCorrections("m");
    const schema: FormSchema = readSchema(listing, hints);
    return (
      <>
        <ReadingPanel modelId="m" schema={schema} />
        <output>{schema.fields.map((field) => `${field.key}:${field.role ?? "none"}`).join(" ")}</output>
      </>
    );
  }

  it("says how the listing was read, and remembers the correction per model", async () => {
    const user = userEvent.setup();
    const listing = [
      { name: "idea", type: "string", display_name: "Idea" },
      { name: "prompt", type: "string", display_name: "Prompt" },
    ];
    const { unmount } = render(<Panel listing={listing} />);
    await user.click(
      screen.getByRole("button", { name: "Field mapping (advanced): 2 fields from a list of parameters" }),
    );
    await user.selectOptions(await screen.findByLabelText("Idea role"), "Prompt");
    await user.selectOptions(screen.getByLabelText("Prompt role"), "None");
    expect(screen.getByText("idea:prompt prompt:none")).toBeVisible();
    unmount();
    render(<Panel listing={listing} />);
    expect(screen.getByText("idea:prompt prompt:none")).toBeVisible();
  });
});

describe("prompt memory", () => {
  it("walks to the prompts of earlier runs and back by Alt and the arrows", async () => {
    for (const prompt of ["oldest", "newest"]) rememberPrompt(prompt);
    const { user } = await renderForm(LISTING);
    const box = screen.getByLabelText("Prompt");
    await user.type(box, "mine");
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(box).toHaveValue("newest");
    await user.keyboard("{Alt>}{ArrowUp}{ArrowUp}{/Alt}");
    expect(box).toHaveValue("oldest");
    await user.keyboard("{Alt>}{ArrowDown}{ArrowDown}{/Alt}");
    expect(box).toHaveValue("mine");
  });
});

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
  await user.click(await screen.findByRole("button", { name: "Choose another parameter list" }));
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
    expect(await screen.findByText("Found in data › latest_version › openapi_schema › Input.")).toBeVisible();
  });

  it("is said above the form where it is in doubt, with the other place beside it", async () => {
    const { user } = await show(TWO);
    const doubt = await screen.findByRole("status", { name: "Field mapping is uncertain" });
    expect(doubt).toHaveTextContent("Another part of the response may be right.");
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
    expect(screen.getByText("No parameters found in notes.")).toBeVisible();
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
    expect(await screen.findByRole("textbox", { name: "Settings as JSON" })).toBeVisible();
    expect(screen.getByText(/has no readable list of parameters.*before anything is charged\.$/)).toBeVisible();
    const answer = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Response as text" });
    expect(answer.value).toContain('"glow": "soft"');
    expect(answer.value).toContain("a⟨U+202E⟩b");
    await user.click(screen.getByRole("button", { name: "Choose parameter list" }));
    expect(screen.getByRole("treeitem", { name: /layout/ })).toBeVisible();
  });

  it("is no empty listing: that is a model without parameters", async () => {
    await show({ model: "m", parameters: [] });
    expect(screen.getByText(/has no parameters: its list \(parameters\) is empty/)).toBeVisible();
    expect(screen.queryByRole("textbox", { name: "Settings as JSON" })).not.toBeInTheDocument();
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

interface Job {
  pattern: string;
  text: string;
}

/** A worker of the page that runs patterns, and never comes back from one that holds `(a+)+`. */
class PatternWorker {
  onmessage: ((event: { data: boolean[] }) => void) | null = null;
  onerror = null;
  postMessage(jobs: Job[]) {
    if (jobs.some(({ pattern }) => pattern.includes("(a+)+"))) return;
    const data = jobs.map(({ pattern, text }) => new RegExp(pattern, "u").test(text));
    setTimeout(() => this.onmessage?.({ data }));
  }
  terminate() {}
}

const PATTERNS = {
  properties: {
    name: { type: "string", title: "Name", pattern: "^[a-z]+$" },
    slow: { type: "string", title: "Slow", pattern: "^(a+)+$" },
  },
};

describe("patterns of a listing", () => {
  const original = globalThis.Worker;
  beforeEach(() => {
    globalThis.Worker = PatternWorker as unknown as typeof Worker;
  });
  afterEach(() => {
    globalThis.Worker = original;
  });

  it("are run after a pause, and a mismatch blocks Run", async () => {
    const { user, handle } = await renderForm(PATTERNS);
    await user.type(screen.getByLabelText("Name"), "ABC");
    const message = "Name doesn’t match the format that this model expects.";
    expect(await screen.findByText(message)).toBeVisible();
    expect(
      handle()
        .getProblems()
        .map((problem) => problem.message),
    ).toEqual([message]);
    await user.clear(screen.getByLabelText("Name"));
    await user.type(screen.getByLabelText("Name"), "abc");
    expect(screen.queryByText(message)).not.toBeInTheDocument();
    expect(handle().getProblems()).toEqual([]);
  });

  it("that take too long are not checked, and the field says so", async () => {
    const { user, handle } = await renderForm(PATTERNS);
    await user.type(screen.getByLabelText("Slow"), "aaa!");
    expect(await screen.findByText(/^Not checked here/)).toBeVisible();
    expect(handle().getProblems()).toEqual([]);
    await user.type(screen.getByLabelText("Slow"), "b");
    expect(screen.queryByText(/^Not checked here/)).not.toBeInTheDocument();
  });
});
