import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MediaControl } from "../../../src/schema-form/controls/field-control.tsx";
import { draftToPayload } from "../../../src/schema-form/draft.ts";
import { SchemaForm } from "../../../src/schema-form/form/schema-form.tsx";
import { useSchemaForm } from "../../../src/schema-form/form/use-schema-form.ts";
import { readSchema } from "../../../src/schema-form/read/read-schema.ts";
import { registerPage } from "./measure.mjs";
import "../../../src/styles.css";

/** @typedef {import("../../../src/schema-form/controls/control-props.ts").MediaControlProps} MediaControlProps */

// It reads no more of its props than a screen's own control gets.
const Media = /** @type {import("react").FunctionComponent<MediaControlProps>} */ (MediaControl);
/**
 * As Create gives one: the form itself loads its address box when it needs one, and the peer has no such step.
 * @param {MediaControlProps} props
 */
const renderMedia = (props) => createElement(Media, props);

/** @type {import("../../../src/schema-form/form/form-handle.ts").FormHandle | undefined} */
let form;
/** @type {Record<string, unknown>} */
let payload = {};
/** @param {import("../../../src/schema-form/draft.ts").Draft} next */
const onChange = (next) => {
  payload = draftToPayload(next);
};

/** @param {{ schema: import("../../../src/schema-form/read/field.ts").FormSchema }} props */
function Screen({ schema }) {
  form = useSchemaForm({ modelId: "bench", schema, onChange });
  return createElement("form", null, createElement(SchemaForm, { form, renderMedia }));
}

// The studio's shell is drawn in its fonts before any form is.
await Promise.all(["Geist Variable", "Geist Mono Variable"].map((name) => document.fonts.load(`13px "${name}"`)));

/**
 * @param {boolean} folds whether the long tail starts folded, as it does in the studio; otherwise every field is drawn
 */
export function registerOurs(folds) {
  /** @param {unknown} raw */
  const read = (raw) => {
    const schema = readSchema(raw);
    return folds ? schema : { ...schema, fields: schema.fields.map((field) => ({ ...field, advanced: false })) };
  };
  registerPage({
    mount(place, raw) {
      const root = createRoot(place);
      const schema = read(raw);
      flushSync(() => root.render(createElement(Screen, { schema })));
      return () => root.unmount();
    },
    // Rows far out of sight have their labels and get their controls as they come near.
    drawn: (raw) => read(raw).fields.filter(({ advanced }) => !advanced).length,
    // As Run does when it looks for what is missing.
    makeAll: () => void form?.attempt(),
    payload: () => payload,
  });
}
