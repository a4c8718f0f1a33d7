import { useState } from "react";
import type { TextEndpoint } from "#api/text-types.ts";
import { otherFields, withOtherFields } from "#chat/parameters.ts";
import type { JsonRecord } from "#lib/json.ts";
import { Field } from "#ui/field.tsx";
import { TextArea } from "#ui/text-area.tsx";

/** Every field without a control of its own, as JSON. */
export function OtherFields({
  endpoint,
  params,
  onChange,
}: {
  endpoint: TextEndpoint;
  params: JsonRecord;
  onChange: (params: JsonRecord) => void;
}) {
  const [text, setText] = useState(() => {
    const others = otherFields(endpoint, params);
    return Object.keys(others).length === 0 ? "" : JSON.stringify(others, null, 2);
  });
  const [problem, setProblem] = useState<string>();
  return (
    <Field label="Further fields" hint="A JSON object that is added to the request body." error={problem}>
      {({ id, describedBy, invalid }) => (
        <TextArea
          id={id}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          mono
          rows={2}
          spellCheck={false}
          placeholder={'{ "metadata": { "run": "a" } }'}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const read = withOtherFields(endpoint, params, event.target.value);
            setProblem("problem" in read ? read.problem : undefined);
            if ("params" in read) onChange(read.params);
          }}
        />
      )}
    </Field>
  );
}
