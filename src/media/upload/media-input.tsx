import { clsx } from "clsx";
import { Upload, X } from "lucide-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { MediaKind } from "#api/types.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";
import { useFileDeletion } from "../deleted-media.ts";
import { MediaInputPreview, type PreviewResult, useObjectUrl } from "./media-input-preview.tsx";
import { UploadLine, type UploadState, useUpload } from "./use-upload.tsx";

/** What an input still needs before the form can be sent: the service's storage, or a word from the person. */
export type PendingInput = "upload" | "choice";

interface MediaInputProps {
  /** Wiring from the field around it. */
  id: string;
  label: string;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  /** What the field takes, where it is known. */
  kind?: MediaKind | undefined;
  value: string;
  /** What the file at the address is called, where that is known. */
  name?: string | undefined;
  onChange: (address: string) => void;
  /** The button that empties it was pressed. */
  onClear: () => void;
  onBlur?: (() => void) | undefined;
  /** The form should not be sent yet: 1 when that begins, -1 when it ends. */
  onPending?: ((pending: PendingInput, by: 1 | -1) => void) | undefined;
  /** The file that it is to store. */
  file: File | undefined;
  /** Files were dropped, pasted or chosen here: hand the first back as `file`. */
  onFiles: (files: readonly File[]) => void;
  /** Whether the field takes more than one. */
  isSeveral: boolean;
  /** The upload was stopped. */
  onCancel: () => void;
  /** Whether a file waits for the person before it is sent; asked again when it is another function. */
  asksFirst?: ((file: File) => Promise<boolean>) | undefined;
  /** What the preview of the address came to. */
  onPreview?: ((result: PreviewResult) => void) | undefined;
  /** Another way to fill it, such as picking from earlier results. */
  extra?: ReactNode;
  /** Acts on the input as a whole, beside its name. */
  tools?: ReactNode;
  /** Lines below it that may store another file in its place, and what is shown of one that waits. */
  lines?: ((send: (file: File) => void, waiting: File | undefined) => ReactNode) | undefined;
}

/**
 * An input of media: any public address, typed or pasted, or a file that is dropped, pasted or chosen and then stored
 * with the service (spec 4.1). Shows what it holds.
 */
export function MediaInput({ id, label, kind, value, onChange, ...rest }: MediaInputProps) {
  const { onPending, asksFirst, file: given } = rest;
  const { state, send, cancel } = useUpload({ kind, onStored: onChange, asksFirst });
  const file = state.phase === "idle" ? undefined : state.file;
  const waiting = state.phase === "waiting" ? state.file : undefined;
  const local = useObjectUrl(file);
  const pending = pendingOf(state);
  const isDeleted = useFileDeletion(value) !== undefined;
  useEffect(() => {
    if (!pending) return;
    onPending?.(pending, 1);
    return () => onPending?.(pending, -1);
  }, [pending, onPending]);
  useEffect(() => {
    if (given) void send(given);
  }, [given, send]);
  const askAgain = useEffectEvent(() => waiting && void send(waiting));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is the reason to ask again.
  useEffect(() => void askAgain(), [asksFirst]);

  function stop() {
    cancel();
    rest.onCancel();
  }
  const note = state.phase === "idle" && value ? state.note : undefined;
  const isResting = pending !== "upload";
  const name = file ? isResting && visibleLine(file.name) : value && !note ? (rest.name ?? hostOf(value)) : undefined;
  const isClearable = isResting && (value !== "" || file !== undefined);
  return (
    <MediaDropBox label={label} invalid={rest.invalid} onFiles={rest.onFiles}>
      {file
        ? local && <MediaInputPreview key={local} address={local} kind={kind} />
        : value && <MediaInputPreview key={value} address={value} kind={kind} onResult={rest.onPreview} />}
      <div className="flex min-w-0 flex-1 flex-col justify-center gap-1.5">
        <div className={clsx("flex items-center gap-1", !isClearable && !rest.tools && "sr-only")}>
          <div className="wrap-anywhere min-w-0 flex-1 py-1 text-[12.5px]">
            {name}
            <span role="status">{note}</span>
          </div>
          {rest.tools}
          {isClearable && (
            <IconButton
              size="sm"
              label={`Clear ${label}`}
              onClick={() => {
                // A file that has not taken the place of what was there goes alone.
                if (file && value) stop();
                else {
                  cancel();
                  rest.onClear();
                }
              }}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
        {state.phase !== "idle" && state.phase !== "waiting" && (
          <UploadLine state={state} onCancel={stop} onRetry={() => file && void send(file)} />
        )}
        {!waiting && (
          <TextInput
            mono
            id={id}
            aria-label={label}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            className={clsx("placeholder:font-sans", value && "h-7 text-ink-3 focus:text-ink")}
            placeholder="Drop a file or paste an address"
            aria-describedby={rest.describedBy}
            aria-invalid={rest.invalid || undefined}
            value={value}
            onChange={(event) => {
              cancel();
              onChange(event.target.value.trim());
            }}
            onBlur={rest.onBlur}
          />
        )}
        {isResting && state.phase !== "failed" && rest.lines?.((next) => void send(next, true), waiting)}
        {pending === undefined && (
          <div className="flex flex-wrap items-center gap-1.5">
            <FilePickerButton
              label={label}
              words={isDeleted ? "Choose another file" : value ? "Replace" : "Choose a file"}
              kind={kind}
              isSeveral={rest.isSeveral}
              onFiles={rest.onFiles}
            />
            {rest.extra}
          </div>
        )}
      </div>
    </MediaDropBox>
  );
}

/** The host of an address; undefined for the page's own. */
function hostOf(address: string): string | undefined {
  const host = /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).hostname : "";
  return host === location.hostname ? undefined : host;
}

function pendingOf({ phase }: UploadState): PendingInput | undefined {
  if (phase === "waiting") return "choice";
  return phase === "sending" || phase === "converting" ? "upload" : undefined;
}

/** The frame of an input, which takes files that are dropped on it or pasted inside it. */
function MediaDropBox({
  label,
  invalid,
  onFiles,
  children,
}: {
  label: string;
  invalid: boolean | undefined;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const [isOver, setIsOver] = useState(false);
  function take(event: DragEvent | ClipboardEvent, files: FileList) {
    if (files.length === 0) return;
    event.preventDefault();
    onFiles([...files]);
  }
  return (
    // The same two acts are on the button and the address inside: dropping and pasting are a second way for a pointer.
    <fieldset
      aria-label={label}
      onPaste={(event) => take(event, event.clipboardData.files)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        event.preventDefault();
        take(event, event.dataTransfer.files);
      }}
      className={clsx(
        "m-0 flex min-w-0 gap-2.5 rounded-sm border border-dashed p-2",
        isOver ? "border-accent bg-accent-soft" : invalid ? "border-failed" : "border-line-strong",
      )}
    >
      {children}
    </fieldset>
  );
}

// Wider than what the service stores: the rest is converted here. Some systems know no type for the last ones.
const ACCEPT: Record<MediaKind, string> = {
  image: "image/*,.heic,.heif,.avif,.tif,.tiff",
  video: "video/*,.mov,.webm",
  audio: "audio/*,.flac,.m4a,.ogg",
  other: "image/*,video/*,audio/*,.heic,.heif,.avif,.tif,.tiff,.mov,.flac",
};

/** Opens the system's own dialog for files of a kind. */
function FilePickerButton({
  label,
  words,
  kind = "other",
  isSeveral,
  onFiles,
}: {
  /** The field that the files are for. */
  label: string;
  words: string;
  kind?: MediaKind | undefined;
  isSeveral: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-3.5" />
        {words}
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPT[kind]}
        multiple={isSeveral}
        aria-label={`File for ${label}`}
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be chosen again.
          event.target.value = "";
          onFiles(files);
        }}
      />
    </>
  );
}
