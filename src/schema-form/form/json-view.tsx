import { useEffect, useId, useState } from "react";
import { isRecord, type JsonRecord, parseJson } from "#lib/read.ts";
import { TextArea } from "#ui/field.tsx";
import { type FormHandle, PAYLOAD_TEXT } from "./form-handle.ts";
import { useFormPayload, useFormProblems, useIsSubmitted } from "./use-schema-form.ts";

const textOf = (payload: JsonRecord) => JSON.stringify(payload, null, 2);

/** The text as a payload, or why it cannot be read as one. */
function readPayload(text: string): { payload?: JsonRecord; problem?: string } {
  const read = parseJson(text.trim() === "" ? "{}" : text);
  if (read.problem !== undefined) return { problem: `Invalid JSON: ${read.problem}` };
  return isRecord(read.value) ? { payload: read.value } : { problem: "The JSON must be an object in braces." };
}

/**
 * The whole payload as JSON, in step with the form both ways and lossless: keys that the form does not know stay and
 * are sent. While the text is no JSON the form has its last values and cannot run.
 */
export function JsonView({ form, rows = 16 }: { form: FormHandle; rows?: number }) {
  const payload = useFormPayload(form);
  const problems = useFormProblems(form);
  const isSubmitted = useIsSubmitted(form);
  const lineId = useId();
  const [state, setState] = useState({ text: textOf(payload), payload, isBroken: false });
  const isOther = state.payload !== payload && JSON.stringify(state.payload) !== JSON.stringify(payload);
  // The payload was changed elsewhere, so this text is no longer what would be sent.
  if (state.isBroken ? !form.isUnreadable(PAYLOAD_TEXT) : isOther) {
    setState({ text: textOf(payload), payload, isBroken: false });
  }
  useEffect(() => () => form.setUnreadable(PAYLOAD_TEXT, undefined), [form]);

  function type(text: string) {
    const { problem, payload: read } = readPayload(text);
    setState({ text, payload: read ?? state.payload, isBroken: problem !== undefined });
    if (read) form.setPayload(read);
    form.setUnreadable(PAYLOAD_TEXT, problem);
  }
  const messages = problems.filter(({ missing }) => !missing || isSubmitted).map(({ message }) => message);
  return (
    <div className="flex flex-col gap-1.5">
      <TextArea
        mono
        rows={rows}
        spellCheck={false}
        aria-label="Settings as JSON"
        aria-describedby={lineId}
        aria-invalid={messages.length > 0 || undefined}
        value={state.text}
        onChange={(event) => type(event.target.value)}
      />
      <ul id={lineId} className="m-0 min-h-4.5 list-none p-0 text-xs text-failed leading-normal">
        {[...new Set(messages)].map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
