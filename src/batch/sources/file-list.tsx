import { Upload as UploadIcon, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { MediaKind } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MediaInputPreview, useObjectUrl } from "#media/upload/media-input.tsx";
import { UploadLine, UploadRetry } from "#media/upload/upload-line.tsx";
import {
  isUnderWay,
  noteFields,
  seeUploads,
  type Upload,
  uploadOutcomes,
  uploadTo,
  useUploadStore,
} from "#media/upload/upload-store.ts";
import { getAccountUploads } from "#media/upload/uploads.ts";
import type { MediaControlProps } from "#schema-form/controls/control-props.ts";
import { finishedItems } from "#schema-form/draft.ts";
import { useFormContext } from "#schema-form/form/form-context.ts";
import {
  addressesIn,
  getMediaAddress,
  getMediaKind,
  isUpload,
  type MediaItem,
  maxFiles,
  mediaItems,
  mediaValue,
  uploadsIn,
} from "#schema-form/media-value.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { Field, TextArea } from "#ui/field.tsx";

interface ListedFile {
  key: string;
  /** During an upload the address of the file that it replaces; empty where it replaces none. */
  address: string;
  upload: Upload | undefined;
  name: string;
}

interface FileListProps {
  /** The name of the list, such as "Images". */
  label: string;
  kind: MediaKind | undefined;
  /** The queue lists the uploads under this model. */
  modelId: string;
  items: readonly MediaItem[];
  /** How many files there may be. A further one replaces the oldest. */
  max?: number;
  onChange: (items: readonly MediaItem[]) => void;
}

const ACCEPT: Partial<Record<MediaKind, string>> = {
  image: "image/*,.heic,.heif,.avif,.tif,.tiff",
  video: "video/*,.mov,.webm",
  audio: "audio/*,.flac,.m4a,.ogg",
};

/** A list of files: chosen, dropped or pasted, and uploaded to the service, which is free; or given by their addresses. */
export function FileList(props: FileListProps) {
  const { label, kind, max = Number.POSITIVE_INFINITY } = props;
  const list = useListedFiles(props);
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  function acceptFiles(event: DragEvent | ClipboardEvent, files: globalThis.FileList) {
    if (files.length === 0) return;
    event.preventDefault();
    list.addFiles([...files]);
  }
  return (
    <div className="flex flex-col gap-3">
      {/* Dropping and pasting are extra ways; the button is the accessible one. */}
      <fieldset
        aria-label={label}
        onPaste={(event) => acceptFiles(event, event.clipboardData.files)}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDraggedOver(true);
        }}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={(event) => {
          setIsDraggedOver(false);
          event.preventDefault();
          acceptFiles(event, event.dataTransfer.files);
        }}
        className={`m-0 flex min-w-0 flex-col gap-2 rounded-sm border border-dashed p-3 ${isDraggedOver ? "border-accent bg-accent-soft" : "border-line-strong"}`}
      >
        <div className="flex flex-wrap items-center gap-3">
          <Button size="sm" onClick={() => input.current?.click()}>
            <UploadIcon aria-hidden="true" className="size-3.5" />
            Choose files
          </Button>
          <span className="text-sm text-ink-3">or drop them here. Uploads are free.</span>
          <input
            ref={input}
            type="file"
            multiple={max > 1}
            accept={ACCEPT[kind ?? "other"]}
            aria-label={`Files for ${label}`}
            tabIndex={-1}
            className="hidden"
            onChange={(event) => {
              const files = [...(event.target.files ?? [])];
              // Without this, choosing the same file again would be no change.
              event.target.value = "";
              list.addFiles(files);
            }}
          />
        </div>
        {list.files.length > 0 && (
          <ul
            aria-label={label}
            className="m-0 grid max-h-56 list-none grid-cols-[repeat(auto-fill,minmax(--spacing(50),1fr))] gap-2 overflow-y-auto p-0 short:max-h-none"
          >
            {list.files.map((file, at) => (
              <FileRow
                key={file.key}
                file={file}
                position={at + 1}
                kind={kind}
                onRetry={() => list.retry(file)}
                onRemove={() => list.remove(at)}
              />
            ))}
          </ul>
        )}
      </fieldset>
      <AddAddresses onAdd={list.addAddresses} />
    </div>
  );
}

function FileRow(props: {
  file: ListedFile;
  position: number;
  kind: MediaKind | undefined;
  onRetry: () => void;
  onRemove: () => void;
}) {
  const { file, position, kind } = props;
  const { name, upload } = file;
  const localUrl = useObjectUrl(upload?.file);
  const shown = file.address || localUrl;
  return (
    <li className="flex min-w-0 items-center gap-2 rounded-sm bg-raised p-1.5">
      {shown ? (
        <MediaInputPreview key={shown} address={shown} kind={kind} />
      ) : (
        <span className="size-14 shrink-0 rounded-sm bg-hover" />
      )}
      <div className="min-w-0 flex-1 text-sm">
        {upload && upload.state.phase !== "done" ? (
          <>
            <UploadLine name={name} state={upload.state} onCancel={props.onRemove} />
            <UploadRetry state={upload.state} onRetry={props.onRetry} />
          </>
        ) : (
          <span className="block truncate" dir="auto" title={file.address}>
            {name}
          </span>
        )}
      </div>
      {(!upload || !isUnderWay(upload)) && (
        <IconButton size="sm" label={`Remove ${name}, number ${position}`} onClick={props.onRemove}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      )}
    </li>
  );
}

const readWords = (text: string) => text.split(/\s+/).filter((word) => word !== "");

function checkAddresses(text: string): string | undefined {
  const wrong = readWords(text).find((word) => !/^https?:\/\/\S+$/i.test(word) || !URL.canParse(word));
  return wrong === undefined ? undefined : `“${visibleLine(wrong, 60)}” isn’t a valid URL.`;
}

/** A field whose addresses, one per line, are added to the end of the list. */
function AddAddresses({ onAdd }: { onAdd: (addresses: readonly string[]) => void }) {
  const { control, register, handleSubmit, setValue, formState } = useForm({
    mode: "onChange",
    defaultValues: { text: "" },
  });
  const isEmpty = useWatch({ control, name: "text" }).trim() === "";
  const error = formState.errors.text?.message;
  const add = handleSubmit(({ text }) => {
    onAdd(readWords(text));
    setValue("text", "");
  });
  return (
    <Field label="Or paste URLs" note="one URL per line" error={error} errorless={error === undefined}>
      {({ id, describedBy, invalid }) => (
        <div className="flex items-end gap-2">
          <TextArea
            mono
            id={id}
            rows={1}
            spellCheck={false}
            placeholder="https://"
            aria-describedby={describedBy}
            aria-invalid={invalid}
            {...register("text", { validate: checkAddresses })}
          />
          <Button aria-disabled={isEmpty || error !== undefined} onClick={add}>
            Add
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Says, when a list outside of a schema form leaves the screen, that its uploads belong to no field any more. */
export function useDetachUploads(items: readonly MediaItem[]): void {
  const last = useRef(items);
  useEffect(() => {
    last.current = items;
  }, [items]);
  useEffect(() => () => noteFields(uploadsIn(last.current), []), []);
}

function useListedFiles({ label, kind, modelId, items: given, max, onChange }: FileListProps) {
  const uploads = getAccountUploads(useApi(), useConnection()?.accountId ?? "");
  const known = useUploadStore((state) => state.uploads);
  // Uploads that ended since the last change are replaced by their addresses, or dropped.
  const items = finishedItems(given, uploadOutcomes());
  const reportChange = useEffectEvent(onChange);
  useEffect(() => {
    if (items !== given) reportChange(items);
    seeUploads(addressesIn(items));
  });
  function setItems(all: readonly MediaItem[]) {
    const next = max === undefined ? all : all.slice(-max);
    for (const id of uploadsIn(items)) if (!uploadsIn(next).includes(id)) uploads.cancel(id);
    onChange(next);
  }
  // In a list of one, the old file stays until the new one is stored.
  const [first = ""] = max === 1 ? items : [];
  const replaces = getMediaAddress(first);
  return {
    files: items.map((item, at): ListedFile => {
      const address = getMediaAddress(item);
      const upload = isUpload(item) ? known.find(({ id }) => id === item.upload) : undefined;
      const name = visibleLine((upload ?? uploadTo(known, address))?.name ?? address, 120);
      // The same address may be in the list twice.
      const earlier = items.slice(0, at).filter((other) => other === item).length;
      return { key: isUpload(item) ? item.upload : `${earlier} ${item}`, address, upload, name };
    }),
    addAddresses: (addresses: readonly string[]) => setItems([...items, ...addresses]),
    addFiles: (chosen: readonly File[]) =>
      setItems([
        ...items,
        ...chosen
          .slice(max === undefined ? 0 : -max)
          .map((file) => ({ upload: uploads.start({ file, kind, modelId, label }), replaces })),
      ]),
    retry: ({ upload }: ListedFile) => upload && uploads.retry(upload.id),
    remove(position: number) {
      const item = items[position];
      // Canceling an upload leaves the file that it would have replaced.
      if (item !== undefined && isUpload(item)) uploads.cancel(item.upload);
      else setItems(items.filter((_, at) => at !== position));
    },
  };
}

/** The files of a parameter, in a form of the batch: uploaded, or by their addresses. */
export function FormMedia({ field, value, onChange }: MediaControlProps) {
  const { form } = useFormContext();
  return (
    <FileList
      label={field.label}
      kind={getMediaKind(field.media)}
      modelId={form.modelId}
      items={mediaItems(value).filter((item) => item !== "")}
      max={maxFiles(field)}
      onChange={(items) => onChange(mediaValue(field, items))}
    />
  );
}
