import { registerPage } from "./measure.mjs";

/**
 * The floor: the same fields by createElement, with one listener.
 * @type {Record<string, unknown>}
 */
const values = {};

/** @param {import("../make-schema.mjs").FieldSchema} schema */
function control(schema) {
  if (schema.enum) {
    const select = document.createElement("select");
    select.append(...schema.enum.map((value) => new Option(value)));
    return select;
  }
  const input = document.createElement("input");
  input.type = schema.type === "boolean" ? "checkbox" : schema.type === "string" ? "text" : "number";
  return input;
}

/** @param {[key: string, schema: import("../make-schema.mjs").FieldSchema]} field */
function row([key, schema]) {
  const field = document.createElement("div");
  const label = document.createElement("label");
  const input = control(schema);
  const help = document.createElement("p");
  input.id = key;
  input.name = key;
  if (schema.default !== undefined && schema.type !== "boolean") input.value = String(schema.default);
  label.htmlFor = key;
  label.textContent = schema.title;
  help.textContent = schema.description;
  field.append(label, input, help);
  return field;
}

registerPage({
  mount(root, schema) {
    const form = document.createElement("form");
    form.append(...Object.entries(schema.properties).map(row));
    form.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "checkbox") values[target.name] = target.checked;
      else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
        values[target.name] = target.value;
      }
    });
    root.append(form);
    return () => form.remove();
  },
  payload: () => values,
});
