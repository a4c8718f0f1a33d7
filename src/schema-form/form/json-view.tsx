import { useEffect, useId, useState } from "react";
import { isRecord, type JsonRecord, parseJson } from "#lib/read.ts";
import { TextArea } from "#ui/field.tsx";
import type { FormHandle } from "./form-handle.ts";
import { useFormPayload, useFormProblems, useIsSubmitted } from "./use-schema-form.ts";

const PLACE = "payload";
const textOf = (payload: JsonRecord) => JSON.stringify(payload, null, 2);

/** The text as a payload, or why it is none. */
function readPayload(text: string): { payload: JsonRecord; problem?: undefined } | { problem: string } {
  const read = parseJson(text.trim() === "" ? "{}" : text);
  if (read.problem !== undefined) return { problem: `Not JSON yet: ${read.problem}` };
  return isRecord(read.value) ? { payload: read.value } : { problem: "A payload is an object, in braces" };
}

/**
 * The whole payload as JSON, in step with the form both ways and lossless: keys that the form does not know are kept
 * and sent. While the text is no JSON the form keeps its last values and cannot run.
 */
export function JsonView({ form }: { form: FormHandle }) {
  const payload = useFormPayload(form);
  const problems = useFormProblems(form);
  const isSubmitted = useIsSubmitted(form);
  const lineId = useId();
  const [state, setState] = useState({ text: textOf(payload), payload });
  const { problem } = readPayload(state.text);
  // Changed elsewhere: what is written here is no longer what would be sent.
  if (state.payload !== payload && problem === undefined && JSON.stringify(state.payload) !== JSON.stringify(payload)) {
    setState({ text: textOf(payload), payload });
  }
  useEffect(() => {
    if (problem === undefined) return;
    form.setUnreadable(PLACE, problem);
    return () => form.setUnreadable(PLACE, undefined);
  }, [form, problem]);

  function type(text: string) {
    const read = readPayload(text);
    setState({ text, payload: read.problem === undefined ? read.payload : state.payload });
    if (read.problem === undefined) form.setPayload(read.payload);
  }
  const messages = problems.filter(({ missing }) => !missing || isSubmitted).map(({ message }) => message);
  return (
    <div className="flex flex-col gap-1.5">
      <TextArea
        mono
        rows={16}
        spellCheck={false}
        aria-label="Payload as JSON"
        aria-describedby={lineId}
        aria-invalid={messages.length > 0 || undefined}
        value={state.text}
        onChange={(event) => type(event.target.value)}
      />
      <ul id={lineId} className="m-0 min-h-[18px] list-none p-0 text-[12px] text-failed leading-[18px]">
        {[...new Set(messages)].map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
