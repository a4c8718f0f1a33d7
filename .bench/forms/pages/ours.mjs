import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { MediaControl } from "/src/schema-form/controls/media-control.tsx";
import { SchemaForm } from "/src/schema-form/form/schema-form.tsx";
import { useSchemaForm } from "/src/schema-form/form/use-schema-form.ts";
import { readSchema } from "/src/schema-form/read/read-schema.ts";
import { registerPage } from "./measure.mjs";
import "/src/styles.css";

// As Create gives one: the form itself loads its address box when it needs one, and the peer has no such step.
const renderMedia = (props) => createElement(MediaControl, props);

const lines = ({ textContent }) => textContent.split("\n").length;
const labels = () =>
  [...document.querySelectorAll("#root button.leading-18")].reduce((sum, area) => sum + lines(area), 0);

let form;
let rows = 0;
let payload = {};
const onPayloadChange = (next) => {
  payload = next;
};

function Screen({ schema }) {
  form = useSchemaForm({ modelId: "bench", schema, onPayloadChange });
  return createElement("form", null, createElement(SchemaForm, { form, renderMedia }));
}

// The studio's shell is drawn in its fonts before any form is.
await Promise.all(["Geist Variable", "Geist Mono Variable"].map((name) => document.fonts.load(`13px "${name}"`)));

/** `folds`: the long tail starts folded, as it does in the studio. Otherwise every field is drawn. */
export function registerOurs(folds) {
  registerPage({
    mount(place, raw) {
      const read = readSchema(raw);
      const schema = folds ? read : { ...read, fields: read.fields.map((field) => ({ ...field, advanced: false })) };
      rows = schema.fields.filter(({ advanced }) => !advanced).length;
      const root = createRoot(place);
      flushSync(() => root.render(createElement(Screen, { schema })));
      return () => root.unmount();
    },
    // Rows far out of sight have their labels and get their controls as they come near.
    isWhole: () => document.querySelectorAll("#root [data-field]").length + labels() === rows,
    // As Run does when it looks for what is missing.
    makeAll: () => void form.attempt(),
    payload: () => payload,
  });
}
