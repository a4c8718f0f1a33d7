import { useEffect, useId, useState } from "react";
import { isRecord, type JsonRecord } from "#lib/json.ts";
import { TextArea } from "#ui/text-area.tsx";
import { parseJson } from "../read/parse-json.ts";
import type { FormStore } from "./form-store.ts";
import { useFormPayload, useFormProblems } from "./use-schema-form.ts";

const PLACE = "payload";
const textOf = (payload: JsonRecord) => JSON.stringify(payload, null, 2);

/** The text as a payload, or why it is none. */
function readPayload(text: string): { payload: JsonRecord } | { problem: string } {
  const read = parseJson(text.trim() === "" ? "{}" : text);
  if (read.problem !== undefined) return { problem: `Not JSON yet: ${read.problem}` };
  return isRecord(read.value) ? { payload: read.value } : { problem: "A payload is an object, in braces" };
}

/**
 * The whole payload as JSON, in step with the form both ways and lossless: keys that the form does not know are kept
 * and sent. While the text is no JSON the form keeps its last values and cannot run.
 */
export function PayloadJsonEditor({ form }: { form: { store: FormStore } }) {
  const { store } = form;
  const payload = useFormPayload(store);
  const problems = useFormProblems(store);
  const lineId = useId();
  const [state, setState] = useState({ text: textOf(payload), payload });
  const [broken, setBroken] = useState<string>();
  // Changed elsewhere: what is written here is no longer what would be sent.
  if (state.payload !== payload && broken === undefined && JSON.stringify(state.payload) !== JSON.stringify(payload)) {
    setState({ text: textOf(payload), payload });
  }
  useEffect(() => {
    store.block(PLACE, "", broken);
    return () => store.block(PLACE, "", undefined);
  }, [store, broken]);

  function type(text: string) {
    const read = readPayload(text);
    setBroken("problem" in read ? read.problem : undefined);
    setState({ text, payload: "payload" in read ? read.payload : state.payload });
    if ("payload" in read) store.setPayload(read.payload);
  }
  const messages = problems
    .filter((problem) => !problem.missing || store.isAttempted())
    .map((problem) => problem.message);
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
