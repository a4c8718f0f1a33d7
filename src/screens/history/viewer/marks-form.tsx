import { useState } from "react";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { Field } from "#ui/field.tsx";
import { TextArea } from "#ui/text-area.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { readTags } from "../tags.ts";

/** Tags and a note for a job, kept in this browser when the field is left. Give it the job's id as its key. */
export function MarksForm({ requestId, marks }: { requestId: string; marks: Marks }) {
  const known = marks.marks.get(requestId);
  const [tags, setTags] = useState<string>();
  const [note, setNote] = useState<string>();
  const tagText = tags ?? known?.tags.join(", ") ?? "";
  const noteText = note ?? known?.note ?? "";
  return (
    <section aria-label="Notes">
      <Field label="Tags" note="kept in this browser">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            value={tagText}
            placeholder="client, final"
            onChange={(event) => setTags(event.target.value)}
            onBlur={() => tags !== undefined && marks.change([requestId], () => ({ tags: readTags(tags) }))}
          />
        )}
      </Field>
      <Field label="Note">
        {({ id, describedBy }) => (
          <TextArea
            id={id}
            aria-describedby={describedBy}
            value={noteText}
            onChange={(event) => setNote(event.target.value)}
            onBlur={() => note !== undefined && marks.change([requestId], () => ({ note }))}
          />
        )}
      </Field>
    </section>
  );
}
