import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { JsonRecord } from "#lib/read.ts";
import { payloadToDraft } from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { SchemaHints } from "#schema-form/read/read-schema.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

/**
 * Renders the form of a listing, with a Run button that only shows what is left, and waits for the controls that come on
 * demand. Returns a view of its live handle.
 */
export async function renderForm(listing: unknown, initialPayload?: JsonRecord, hints?: SchemaHints) {
  const schema = readSchema(listing, hints);
  const handle: { current?: FormHandle } = {};
  function Screen() {
    const form = useSchemaForm({ modelId: "model", schema, initial: payloadToDraft(initialPayload ?? {}) });
    handle.current = form;
    return (
      <form aria-label="Parameters" onSubmit={(event) => event.preventDefault()}>
        <SchemaForm form={form} />
        <button type="button" onClick={() => void form.focusFirstProblem()}>
          Run
        </button>
      </form>
    );
  }
  // The modules are there before the first render, so that one turn of the loop shows them.
  await Promise.all([import("#schema-form/controls/field-control.tsx"), import("#ui/combobox.tsx")]);
  const view = await act(async () => render(<Screen />));
  return {
    ...view,
    user: userEvent.setup(),
    schema,
    screen,
    payload: () => handle.current?.getPayload() ?? {},
    messages: () => (handle.current?.getProblems() ?? []).map((problem) => problem.message),
    handle: () => {
      if (!handle.current) throw new Error("The form is not rendered.");
      return handle.current;
    },
  };
}
