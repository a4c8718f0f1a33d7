import { useState } from "react";
import { keySentence, redactOwnKey } from "#connection/find-key.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { pendingAmong, useUploadStore } from "#media/upload/upload-store.ts";
import { type Draft, draftToPayload, payloadToDraft, uploadIds } from "#schema-form/draft.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";
import { useBatchDocument } from "../batch-document.ts";
import { FormMedia } from "../sources/file-list.tsx";
import { withoutUnavailable, withPayload } from "./table-edits.ts";

/** The complete form of one draft. Nothing changes before Save. */
export function RowDialog({ item, onClose }: { item: BatchItem; onClose: () => void }) {
  const { schemas, edit } = useBatchDocument();
  const { model, payload } = item.request;
  const known = schemas.get(model);
  const [changed, setChanged] = useState<Draft>();
  const pendingUploads = changed ? uploadIds(changed) : [];
  const isUploading = useUploadStore(({ uploads }) => pendingAmong(uploads, pendingUploads) > 0);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Edit run"
      description={visibleLine(model, 80)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            aria-disabled={isUploading}
            title={isUploading ? "Wait for the upload to finish" : undefined}
            onClick={() => {
              if (isUploading) return;
              if (changed) edit((current) => withPayload(current, item.id, redactOwnKey(draftToPayload(changed))));
              onClose();
            }}
          >
            Save
          </Button>
        </>
      }
    >
      {item.unavailable && (
        <Notice
          tone="warning"
          title={`Not available in ${visibleLine(model, 60)}: ${item.unavailable.map((label) => visibleLine(label, 60)).join(", ")}`}
          className="mb-4"
          actions={
            <Button
              onClick={() => {
                edit((current) => withoutUnavailable(current, new Set([item.id])));
                onClose();
              }}
            >
              Remove values
            </Button>
          }
        >
          This run needs attention. Choose other values, or remove them.
        </Notice>
      )}
      {known?.state === "ready" ? (
        <RowForm model={model} payload={payload} schema={known.schema} onChange={setChanged} />
      ) : known?.state === "failed" ? (
        <div className="flex flex-col items-start gap-2">
          <p role="alert" className="m-0">
            Couldn’t load the parameters of this model.
          </p>
          <Button onClick={known.retry}>Try again</Button>
        </div>
      ) : (
        <Skeleton className="h-60" />
      )}
    </Dialog>
  );
}

function RowForm({
  model,
  payload,
  schema,
  onChange,
}: {
  model: string;
  payload: JsonRecord;
  schema: FormSchema;
  onChange: (draft: Draft) => void;
}) {
  const form = useSchemaForm({
    modelId: model,
    schema,
    initial: payloadToDraft(payload),
    isDeleted: isFileDeleted,
    testText: keySentence,
    onChange,
  });
  return <SchemaForm form={form} renderMedia={FormMedia} />;
}
