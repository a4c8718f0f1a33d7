import { clsx } from "clsx";
import { EyeOff, File, ImageOff, Music, Trash2, Upload as UploadIcon, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { kindOfUrl } from "#api/media-kind.ts";
import type { MediaKind } from "#api/types.ts";
import { localHold, mayBeOpened } from "#connection/relay.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { TextInput } from "#ui/field.tsx";
import { useFileDeletion } from "../deleted-media.ts";
import { safeMediaUrl } from "../fetch-media.ts";
import { allowHost, useBlockedHost } from "../known-hosts.ts";
import { FAILURE_WORDS } from "../media-failure.ts";
import { useMediaTurn } from "../use-media-state.ts";
import { UploadLine, UploadRetry } from "./upload-line.tsx";
import { isUnderWay, type Upload } from "./upload-store.ts";

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
  /** What was done to the file at the address before it was stored. */
  note?: string | undefined;
  onChange: (address: string) => void;
  /** The button that empties it was pressed. */
  onClear: () => void;
  onBlur?: (() => void) | undefined;
  /** The upload for this input, also one that failed. */
  upload: Upload | undefined;
  /** Files were dropped, pasted or chosen here: the first is for this input. */
  onFiles: (files: readonly File[]) => void;
  /** Whether the field takes more than one. */
  isSeveral: boolean;
  onCancel: () => void;
  onRetry: () => void;
  /** Called when the preview has loaded, or could not be loaded. */
  onPreview?: ((result: PreviewResult) => void) | undefined;
  /** Another way to fill it, such as picking from earlier results. */
  extra?: ReactNode;
  /** Acts on the input as a whole, beside its name. */
  tools?: ReactNode;
  /** Lines below it. */
  lines?: ReactNode;
}

/** The height of an input with a file, also without one, so that nothing below it moves when a file comes. */
const MIN_HEIGHT = "min-h-24.75 pointer-coarse:min-h-36";

/**
 * An input of media: any public address, typed or pasted, or a file that is dropped, pasted or chosen and then stored
 * with the service (spec 4.1). Shows what it holds, and how far its upload is.
 */
export function MediaInput({ id, label, kind, value, upload, ...rest }: MediaInputProps) {
  const file = upload?.file;
  const local = useObjectUrl(file);
  const isDeleted = useFileDeletion(value) !== undefined;
  const isResting = !upload || !isUnderWay(upload);
  const isFailed = upload?.state.phase === "failed";
  const note = upload || value === "" ? undefined : rest.note;
  const name = upload
    ? isResting && visibleLine(upload.name)
    : value && !note
      ? (rest.name ?? hostOf(value))
      : undefined;
  const isClearable = isResting && (value !== "" || upload !== undefined);
  return (
    <MediaDropBox id={`${id}-box`} label={label} invalid={rest.invalid} onFiles={rest.onFiles}>
      {file && !local && <span className="size-14 shrink-0 rounded-sm bg-raised" />}
      {file
        ? local && <MediaInputPreview key={local} address={local} kind={kind} onResult={rest.onPreview} />
        : value && <MediaInputPreview key={value} address={value} kind={kind} onResult={rest.onPreview} />}
      <div
        className={clsx(
          "flex min-w-0 flex-1 flex-col gap-1.5",
          MIN_HEIGHT,
          upload === undefined && value === "" && "justify-center",
        )}
      >
        <div className={clsx("flex items-center gap-1", !isClearable && !rest.tools && "sr-only")}>
          <div className="wrap-anywhere min-w-0 flex-1 py-1 text-sm" dir="auto">
            {name}
            <span role="status">{note}</span>
          </div>
          {rest.tools}
          {isClearable && (
            <IconButton
              size="sm"
              label={`Clear ${label}`}
              // An upload that was to replace an address is removed alone; the address stays.
              onClick={upload && value ? rest.onCancel : rest.onClear}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
          )}
        </div>
        {upload && upload.state.phase !== "done" && (
          <UploadLine name={upload.name} state={upload.state} onCancel={rest.onCancel} />
        )}
        {/* Why an upload failed takes its place, so that the input keeps its height. */}
        {isResting && !isFailed && (
          <TextInput
            mono
            id={id}
            aria-label={label}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            className={clsx("placeholder:font-sans", value && "h-7 text-ink-3 focus:text-ink")}
            placeholder="Drop a file or paste a URL"
            aria-describedby={rest.describedBy}
            aria-invalid={rest.invalid || undefined}
            value={value}
            onChange={(event) => rest.onChange(event.target.value.trim())}
            onBlur={rest.onBlur}
          />
        )}
        {rest.lines}
        {isResting && (
          <div className="flex flex-wrap items-center gap-1.5">
            {upload && <UploadRetry state={upload.state} onRetry={rest.onRetry} />}
            <FilePickerButton
              label={label}
              words={isDeleted ? "Choose another file" : value ? "Replace" : "Choose file"}
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

/** The frame of an input, which takes files that are dropped on it or pasted inside it. */
function MediaDropBox({
  id,
  label,
  invalid,
  onFiles,
  children,
}: {
  id: string;
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
      id={id}
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
        <UploadIcon aria-hidden className="size-3.5" />
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

/** The result of showing an address: a picture's size in pixels, or that it could not be loaded. */
export type PreviewResult = { width: number; height: number } | "refused";

/** A small picture of what an address holds, where a page may load it. Give it the address as its key. */
export function MediaInputPreview({
  address,
  kind,
  onResult,
}: {
  address: string;
  kind: MediaKind | undefined;
  onResult?: ((result: PreviewResult) => void) | undefined;
}) {
  const [isBroken, setIsBroken] = useState(false);
  const deletion = useFileDeletion(address);
  const src = URL.canParse(address) ? safeMediaUrl(address) : undefined;
  const shownKind = kindOfUrl(address) ?? kind;
  const hasElement = !deletion && (shownKind === "video" || shownKind === "image");
  const blockedHost = useBlockedHost(address);
  const isBlocked = hasElement && src !== undefined && blockedHost !== undefined;
  const turn = useMediaTurn(hasElement && !isBlocked ? src : undefined);
  function fail() {
    turn.onOver(false);
    setIsBroken(true);
    onResult?.("refused");
  }
  return (
    <span className="relative grid size-14 shrink-0 place-items-center overflow-hidden rounded-sm bg-raised text-ink-3">
      {deletion ? (
        // Not asked for: a cache may serve it for some minutes more (spec 8).
        <Trash2
          role="img"
          aria-label={
            deletion.isConfirmed ? "Deleted" : FAILURE_WORDS[deletion.isUnderWay ? "deleting" : "unconfirmed"].title
          }
          className="size-4"
        />
      ) : !src || isBroken || (isBlocked && !mayBeOpened(localHold(address))) ? (
        <ImageOff role="img" aria-label={URL.canParse(address) ? "No preview" : "Not a URL"} className="size-4" />
      ) : isBlocked ? (
        <button
          type="button"
          aria-label={`Load preview from ${blockedHost}`}
          title={`Not loaded. Load preview from ${blockedHost}`}
          onClick={() => allowHost(address)}
          className="grid size-full cursor-pointer place-items-center border-0 bg-transparent p-0 text-ink-3 hover:text-ink"
        >
          <EyeOff aria-hidden className="size-4" />
        </button>
      ) : shownKind === "video" ? (
        <video
          ref={turn.ref}
          src={turn.src}
          muted
          preload="metadata"
          className="size-full object-cover"
          onLoadedMetadata={() => turn.onOver(true)}
          onError={fail}
        />
      ) : shownKind === "image" ? (
        <img
          ref={turn.ref}
          src={turn.src}
          alt=""
          referrerPolicy="no-referrer"
          className="size-full object-cover"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            turn.onOver(true);
            onResult?.({ width: naturalWidth, height: naturalHeight });
          }}
          onError={fail}
        />
      ) : shownKind === "audio" ? (
        <Music aria-hidden className="size-4" />
      ) : (
        <File aria-hidden className="size-4" />
      )}
    </span>
  );
}

/** An address of this page's own for a file, for as long as it is shown. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [shown, setShown] = useState<{ file: Blob; url: string }>();
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    setShown({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return shown && shown.file === file ? shown.url : undefined;
}
