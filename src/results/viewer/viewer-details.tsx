import { useMemo } from "react";
import { useForm } from "react-hook-form";
import { formatDateTime } from "#lib/time.ts";
import { deletionText, useDeletion } from "#media/deleted-media.ts";
import { retentionClass, retentionText } from "#media/retention.ts";
import { filesDaysLeft } from "#runs/job-facts.ts";
import { priceText } from "#runs/prices/job-price.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { Fact } from "#ui/fact.tsx";
import { Field, TextArea, TextInput } from "#ui/field.tsx";
import { useToday } from "#ui/use-today.ts";
import { JobFactList } from "../job-fact-list.tsx";
import { readTags } from "../marks/tags.ts";
import type { Marks } from "../marks/use-marks.ts";
import { PayloadTable } from "../settings/payload-table.tsx";

interface ViewerDetailsProps {
  job: JobRecord;
  marks: Marks;
}

/** The panel of details beside the file. */
export function ViewerDetails({ job, marks }: ViewerDetailsProps) {
  const savedAtMs = marks.marks.get(job.requestId)?.savedAtMs;
  const deletion = useDeletion(job.requestId);
  const today = useToday();
  const nowMs = useMemo(() => Math.max(Date.now(), today), [today]);
  const days = filesDaysLeft(job, nowMs);
  return (
    <aside
      aria-label="Details"
      className="grid w-[300px] shrink-0 content-start gap-5 overflow-y-auto border-line border-l bg-panel p-4 text-[12.5px] max-md:w-full max-md:max-h-[45%] short:max-h-none short:overflow-visible max-md:border-t max-md:border-l-0"
    >
      <JobFactList job={job} priceIfUnknown={priceText(job)}>
        {deletion && <Fact name="Files">{deletionText(deletion)}</Fact>}
        {days !== undefined && (
          <Fact name="Files">
            <span className={retentionClass(days)}>{retentionText(days)}</span>
          </Fact>
        )}
        {savedAtMs !== undefined && <Fact name="Saved">{`saved to folder, ${formatDateTime(savedAtMs / 1000)}`}</Fact>}
      </JobFactList>
      {job.payload && <PayloadTable payload={job.payload} />}
      <MarksForm key={job.requestId} requestId={job.requestId} marks={marks} />
    </aside>
  );
}

/** Tags and a note for a job, stored in this browser when the field is left. Give it the job's id as its key. */
function MarksForm({ requestId, marks }: { requestId: string; marks: Marks }) {
  const known = marks.marks.get(requestId);
  const {
    register,
    getValues,
    formState: { dirtyFields },
  } = useForm({
    // Marks that change elsewhere show here, but never over what is being typed.
    values: { tags: known?.tags.join(", ") ?? "", note: known?.note ?? "" },
    resetOptions: { keepDirtyValues: true },
  });
  function save(name: "tags" | "note") {
    if (!dirtyFields[name]) return;
    const { tags, note } = getValues();
    marks.change([requestId], () => (name === "tags" ? { tags: readTags(tags) } : { note }));
  }
  return (
    <section aria-label="Notes">
      <Field label="Tags" note="saved in this browser">
        {({ id, describedBy }) => (
          <TextInput
            id={id}
            aria-describedby={describedBy}
            placeholder="client, final"
            {...register("tags", { onBlur: () => save("tags") })}
          />
        )}
      </Field>
      <Field label="Note">
        {({ id, describedBy }) => (
          <TextArea id={id} aria-describedby={describedBy} {...register("note", { onBlur: () => save("note") })} />
        )}
      </Field>
    </section>
  );
}
