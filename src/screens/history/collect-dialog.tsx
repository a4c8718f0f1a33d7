import { useState } from "react";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Field } from "#ui/field.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { knownTags, readTags } from "./tags.ts";

interface CollectDialogProps {
  requestIds: readonly string[];
  marks: Marks;
  onClose: () => void;
}

/** Puts the chosen jobs into a collection: a tag that they share, kept in this browser and found by `tag:`. */
export function CollectDialog({ requestIds, marks, onClose }: CollectDialogProps) {
  const [text, setText] = useState("");
  const known = knownTags(marks.marks);
  function collect(tags: readonly string[]) {
    if (tags.length > 0) marks.change(requestIds, (before) => ({ tags: [...new Set([...before.tags, ...tags])] }));
    onClose();
  }
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={requestIds.length === 1 ? "Add 1 job to a collection" : `Add ${requestIds.length} jobs to a collection`}
      description="A collection is a tag that jobs share. It is kept in this browser, and in an export of its notes."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" aria-disabled={readTags(text).length === 0} onClick={() => collect(readTags(text))}>
            Add
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          collect(readTags(text));
        }}
      >
        <Field label="Collection" hint="You find it under Marked, or by a search for tag: and its name.">
          {({ id, describedBy }) => (
            <TextInput
              id={id}
              aria-describedby={describedBy}
              value={text}
              placeholder="client"
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </form>
      {known.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-1.5">
          {known.map((tag) => (
            <Button key={tag} size="sm" onClick={() => collect([tag])}>
              {tag}
            </Button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
