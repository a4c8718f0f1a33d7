import Form from "@rjsf/core";
import validator from "@rjsf/validator-ajv8";
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { registerPage } from "./measure.mjs";

/** @type {Record<string, unknown>} */
let values = {};
const uiSchema = { "ui:submitButtonOptions": { norender: true } };
/** @type {import("@rjsf/core").FormProps["onChange"]} */
const onChange = ({ formData }) => {
  values = formData;
};

registerPage({
  mount(place, schema) {
    const root = createRoot(place);
    flushSync(() => root.render(createElement(Form, { schema, uiSchema, validator, onChange })));
    return () => root.unmount();
  },
  payload: () => values,
});
