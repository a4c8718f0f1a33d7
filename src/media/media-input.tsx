import { clsx } from "clsx";
import { Upload, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { MediaKind } from "#api/types.ts";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { TextInput } from "#ui/text-input.tsx";
import { MediaInputPreview, type PreviewResult } from "./media-input-preview.tsx";
import { UploadLine } from "./upload-line.tsx";
import { useUpload } from "./use-upload.ts";

// Wider than what the service stores: the rest is converted here. Some systems know no type for the last ones.
const ACCEPT: Record<MediaKind, string> = {
  image: "image/*,.heic,.heif,.avif,.tif,.tiff",
  video: "video/*,.mov,.webm",
  audio: "audio/*,.flac,.m4a,.ogg",
  other: "image/*,video/*,audio/*,.heic,.heif,.avif,.tif,.tiff,.mov,.flac",
};

export interface MediaInputProps {
  /** Wiring from the field around it. */
  id: string;
  label: string;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  /** What the field takes, where it is known. */
  kind?: MediaKind | undefined;
  value: string;
  onChange: (address: string) => void;
  /** The button that empties it was pressed; without it the address becomes empty. */
  onClear?: (() => void) | undefined;
  onBlur?: (() => void) | undefined;
  /** An upload is under way: the form should not be sent yet. */
  onBusyChange?: ((isBusy: boolean) => void) | undefined;
  /** A file that came another way, such as a drop elsewhere on the screen: stored as if it had been chosen here. */
  file?: File | undefined;
  /** Where the field takes several: what was chosen beyond the first file. */
  onMoreFiles?: ((files: readonly File[]) => void) | undefined;
  /** What the preview of the address came to. */
  onPreview?: ((result: PreviewResult) => void) | undefined;
  /** Another way to fill it, such as picking from earlier results. */
  extra?: ReactNode;
  /** Acts on the input as a whole, beside its address. */
  tools?: ReactNode;
  /** Lines below it that may store another file in its place. */
  lines?: ((send: (file: File) => void) => ReactNode) | undefined;
}

/**
 * An input of media: any public address, typed or pasted, or a file that is dropped, pasted or chosen and then stored
 * with the service (spec 4.1). Shows what it holds.
 */
export function MediaInput({
  id,
  label,
  describedBy,
  invalid,
  kind,
  value,
  onChange,
  onBlur,
  ...rest
}: MediaInputProps) {
  const { state, send, cancel } = useUpload(kind, onChange);
  const [isOver, setIsOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const isSending = state.phase === "sending" || state.phase === "converting";
  const { onBusyChange, onMoreFiles, file: given } = rest;
  useEffect(() => {
    if (!isSending) return;
    onBusyChange?.(true);
    return () => onBusyChange?.(false);
  }, [isSending, onBusyChange]);
  useEffect(() => {
    if (given) void send(given);
  }, [given, send]);

  function use(files: readonly File[]) {
    const [first, ...others] = files;
    if (!first) return;
    void send(first);
    if (others.length > 0) onMoreFiles?.(others);
  }
  function take(event: DragEvent | ClipboardEvent, files: FileList | undefined) {
    if (!files || files.length === 0) return;
    event.preventDefault();
    use([...files]);
  }
  function edit(address: string) {
    cancel();
    onChange(address);
  }

  function clear() {
    cancel();
    if (rest.onClear) rest.onClear();
    else onChange("");
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
      {value && <MediaInputPreview key={value} address={value} kind={kind} onResult={rest.onPreview} />}
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex items-center gap-1">
          <TextInput
            mono
            id={id}
            aria-label={label}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            value={value}
            onChange={(event) => edit(event.target.value.trim())}
            onBlur={onBlur}
          />
          {rest.tools}
          {value && (
            <IconButton label={`Clear ${label}`} onClick={clear}>
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
        {state.phase !== "idle" && <UploadLine state={state} onCancel={cancel} onRetry={(file) => void send(file)} />}
        <p role="status" className="wrap-anywhere m-0 text-[12.5px] text-ink-2 empty:hidden">
          {state.phase === "idle" && state.note}
        </p>
        {!isSending && rest.lines?.((file) => void send(file))}
        {!isSending && (
          <div className="flex flex-wrap items-center gap-1.5 text-[12.5px] text-ink-3">
            <Button size="sm" onClick={() => picker.current?.click()}>
              <Upload aria-hidden className="size-3.5" />
              Choose a file
            </Button>
            {rest.extra}
          </div>
        )}
        <input
          ref={picker}
          type="file"
          accept={ACCEPT[kind ?? "other"]}
          multiple={onMoreFiles !== undefined}
          aria-label={`File for ${label}`}
          tabIndex={-1}
          className="hidden"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = "";
            use(files);
          }}
        />
      </div>
    </fieldset>
  );
}
