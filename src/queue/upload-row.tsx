import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Copy, FileUp, X } from "lucide-react";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MediaInputPreview, useObjectUrl } from "#media/upload/media-input.tsx";
import { UploadBar, uploadShare, uploadWords } from "#media/upload/upload-line.tsx";
import { isUnderWay, type Upload, wantField } from "#media/upload/upload-store.ts";
import { getAccountUploads, uploadProblem } from "#media/upload/uploads.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { copyText } from "#ui/code-block.tsx";
import { useCommands } from "#ui/command-store.ts";
import { commandFor } from "#ui/commands.ts";
import { queueCommands } from "./commands.ts";
import { RowLine, RowStatus, RowText, rowClass } from "./queue-row.tsx";
import { type QueueSize, QueueTile } from "./queue-thumb.tsx";

/** A file on its way to a field: how far it is. A press leads to the field; where that is gone, to its form. */
export function UploadRow({ upload, size, onOpen }: { upload: Upload; size: QueueSize; onOpen: () => void }) {
  const { id, modelId, label, file, state, accountId } = upload;
  const uploads = getAccountUploads(useApi(), accountId);
  const navigate = useNavigate();
  const name = visibleLine(upload.name, 120);
  const { text, left } = uploadWords(state);
  const problem = state.phase === "failed" ? uploadProblem(state.error) : undefined;
  const isActive = isUnderWay(upload);
  const endLabel = isActive ? `Cancel the upload of ${name}` : `Remove ${name} from the queue`;
  const share = uploadShare(state);
  const isGone = !upload.hasField;
  const address = state.phase === "done" && isGone ? state.address : undefined;
  const copyLabel = `Copy the address of ${name}`;
  const copy = () => void copyText(address ?? "");
  useCommands([
    ...(address === undefined
      ? []
      : [{ ...commandFor(queueCommands.copyUpload, id), label: copyLabel, icon: Copy, run: copy }]),
    { ...commandFor(queueCommands.endUpload, id), label: endLabel, icon: X, run: () => uploads.cancel(id) },
    ...(problem?.retryLabel
      ? [{ ...commandFor(queueCommands.retryUpload, id), label: `Try again: ${name}`, run: () => uploads.retry(id) }]
      : []),
  ]);
  function open() {
    wantField(isGone ? undefined : id);
    void navigate({ to: "/create/$modelId", params: { modelId }, search: {} });
    onOpen();
  }
  return (
    <div className={clsx("group/upload flex items-center", size === "rail" && "relative")}>
      <button
        type="button"
        onClick={open}
        title={
          size === "rail" ? [name, text, left, problem?.text, isGone && GONE].filter(Boolean).join("\n") : undefined
        }
        className={clsx(rowClass(size), "cursor-pointer")}
      >
        <QueueTile size={size} tone={state.phase === "failed" ? "failed" : isActive ? "queued" : "success"}>
          <UploadPicture file={file} />
        </QueueTile>
        <RowText size={size} title={name}>
          {isActive && (
            <span className="my-1 block">
              <UploadBar label={`Uploading ${name}`} share={share} />
            </span>
          )}
          <RowLine size={size}>
            {problem ? (
              <>
                <RowStatus tone="failed" word="Upload failed" />
                <span className="truncate">{problem.text}</span>
              </>
            ) : !isActive ? (
              <>
                <RowStatus tone="success" word="Uploaded" />
                {!isGone && <span className="truncate">to {visibleLine(label)}</span>}
              </>
            ) : (
              <>
                <span className="truncate">{text}</span>
                {left && <span className={clsx(size === "rail" && "ms-auto")}>{left}</span>}
              </>
            )}
          </RowLine>
          {isGone && (
            <RowLine size={size}>
              <span className="truncate">{GONE}</span>
            </RowLine>
          )}
        </RowText>
      </button>
      {address !== undefined && (
        <IconButton
          size={size === "rail" ? "sm" : "md"}
          label={copyLabel}
          className={clsx(size === "rail" && "folded:hidden")}
          onClick={copy}
        >
          <Copy aria-hidden="true" className="size-4" />
        </IconButton>
      )}
      {problem?.retryLabel && (
        <Button size="sm" className={clsx(size === "rail" && "folded:hidden")} onClick={() => uploads.retry(id)}>
          {problem.retryLabel}
        </Button>
      )}
      <IconButton
        size={size === "rail" ? "sm" : "md"}
        label={endLabel}
        className={clsx(size === "rail" ? "me-1 folded:hidden" : "mx-1")}
        onClick={() => uploads.cancel(id)}
      >
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  );
}

const GONE = "Its field is gone";

/** The picture itself where it is one that the browser shows from its disk. */
function UploadPicture({ file }: { file: File | undefined }) {
  const isPicture = file && /^image\/(png|jpeg|webp|gif|avif)$/.test(file.type);
  const url = useObjectUrl(isPicture ? file : undefined);
  if (!url) return <FileUp aria-hidden="true" className="size-4" strokeWidth={1.75} />;
  return (
    <span className="absolute inset-0 opacity-60 [&>*]:size-full">
      <MediaInputPreview key={url} address={url} kind="image" />
    </span>
  );
}
