import { clsx } from "clsx";
import { Clapperboard, ImagePlus, type LucideIcon, Share2, Star } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Job } from "#api/types.ts";
import { DownloadButton } from "#media/download/download-button.tsx";
import { canShareFiles, shareFile } from "#media/download/share-file.ts";
import { useShownKind } from "#media/use-media-state.ts";
import { Button } from "#ui/button.tsx";
import { type Command, type CommandInfo, useCommands } from "#ui/commands.ts";
import { jobCommands, resultCommands } from "./commands.ts";
import { getStarredFiles, useMarks, withFileStar } from "./marks/marks.ts";
import { AsInputDialog } from "./reuse/as-input-dialog.tsx";

/**
 * Where the acts stand. `overlay`: over an image, shown on hover and focus. `bar`: a line below it. `tiles`: for thumbs
 * on touch, each with its word below its icon.
 */
type ActionsLook = "overlay" | "bar" | "tiles";

interface FileActionsProps {
  job: Job;
  /** Place of the file in its job, from 0. */
  index: number;
  look: ActionsLook;
  /** The acts are in the palette and can be reached by Tab. Those of other files can only be hovered. */
  isActive: boolean;
  /** Has no Download, because a button for the whole job stands elsewhere. */
  withoutDownload?: boolean | undefined;
  /** The file is shown alone, so that the key of Download is for this file. */
  isAlone?: boolean | undefined;
}

const OVER_MEDIA =
  "border-white/20! bg-[oklch(0.13_0.005_60/0.72)]! text-white! not-aria-disabled:hover:border-white/50! not-aria-disabled:hover:bg-[oklch(0.13_0.005_60/0.92)]! h-7.5! rounded-md! forced-colors:border-[ButtonText]!";

const LOOKS: Record<ActionsLook, string> = {
  overlay: OVER_MEDIA,
  bar: "",
  tiles:
    "h-auto! min-h-13 flex-col gap-1! whitespace-normal! border-transparent! bg-raised px-1! py-2 text-center text-xs! leading-tight",
};

/** What can be done with one file: download it, star it, give it to a model. */
export function FileActions({ job, index, look, isActive, withoutDownload, isAlone }: FileActionsProps) {
  const { isStarred, toggle } = useFileStar(job, index);
  const [inputDialog, setInputDialog] = useState<{ makes?: "video" }>();
  const item = job.media[index];
  const kind = useShownKind(item);
  const position = job.media.length > 1 ? `, ${index + 1} of ${job.media.length}` : "";
  const canBeInput = item !== undefined && /^https?:/i.test(item.url);
  const canAnimate = canBeInput && kind === "image";
  const act = (command: CommandInfo, icon: LucideIcon, run: () => void): Command => {
    return { ...command, label: `${command.label}${position}`, icon, run };
  };
  useCommands(
    item === undefined || !isActive
      ? []
      : [
          act(isStarred ? { ...resultCommands.star, label: "Unstar" } : resultCommands.star, Star, toggle),
          ...(canBeInput ? [act(resultCommands.input, ImagePlus, () => setInputDialog({}))] : []),
          ...(canShareFiles() ? [act(jobCommands.share, Share2, () => void shareFile(job, index))] : []),
          ...(canAnimate ? [act(jobCommands.animate, Clapperboard, () => setInputDialog({ makes: "video" }))] : []),
        ],
  );
  if (!item) return null;
  const style = { size: "sm", className: LOOKS[look], tabIndex: isActive ? undefined : -1 } as const;
  // In a narrow cell the icons stand alone; their names stay.
  const word = (text: string) => (
    <span className={look === "overlay" ? "@max-[15.625rem]:sr-only" : undefined}>{text}</span>
  );
  const fileActs = [
    !withoutDownload && (
      <DownloadButton
        key="download"
        {...style}
        job={job}
        index={index}
        label={`Download${position}`}
        command={isActive ? (isAlone ? resultCommands.download : jobCommands.downloadFile) : undefined}
      >
        {word("Download")}
      </DownloadButton>
    ),
    <Button key="star" {...style} aria-label={`Star${position}`} aria-pressed={isStarred} onClick={toggle}>
      <Star aria-hidden="true" className={clsx("size-4", isStarred && "fill-current")} />
      {word("Star")}
    </Button>,
    canShareFiles() && (
      <Button key="share" {...style} aria-label={`Share${position}`} onClick={() => void shareFile(job, index)}>
        <Share2 aria-hidden="true" className="size-4" />
        {word("Share")}
      </Button>
    ),
  ];
  const inputActs = canBeInput && [
    <Button key="input" {...style} aria-label={`Use as input${position}`} onClick={() => setInputDialog({})}>
      <ImagePlus aria-hidden="true" className="size-4" />
      {word("Use as input")}
    </Button>,
    canAnimate && (
      <Button
        key="animate"
        {...style}
        aria-label={`Animate${position}`}
        onClick={() => setInputDialog({ makes: "video" })}
      >
        <Clapperboard aria-hidden="true" className="size-4" />
        {word("Animate")}
      </Button>
    ),
  ];
  return (
    <>
      <Arranged look={look} fileActs={fileActs} inputActs={inputActs} />
      {inputDialog && <AsInputDialog item={item} {...inputDialog} onClose={() => setInputDialog(undefined)} />}
    </>
  );
}

/** The acts in their places: over an image in its two edges, else in one line. */
function Arranged({ look, fileActs, inputActs }: { look: ActionsLook; fileActs: ReactNode; inputActs: ReactNode }) {
  if (look === "overlay") {
    const shown =
      "opacity-0 transition-opacity duration-150 group-focus-within:opacity-100 group-hover:opacity-100 pointer-events-none *:pointer-events-auto";
    return (
      <>
        <div
          className={clsx(
            shown,
            "absolute inset-x-0 top-0 flex justify-end gap-1.5 p-3 pb-9 @max-[11.25rem]:p-1.5",
            SHADE_TOP,
          )}
        >
          {fileActs}
        </div>
        <div
          className={clsx(
            shown,
            "absolute inset-x-0 bottom-0 flex flex-wrap gap-1.5 p-3 pt-11 @max-[11.25rem]:p-1.5",
            SHADE,
          )}
        >
          {inputActs}
        </div>
      </>
    );
  }
  return (
    <div
      className={
        look === "tiles"
          ? "narrow:grid-flow-row narrow:grid-cols-2 grid auto-cols-fr grid-flow-col gap-1.5"
          : "contents"
      }
    >
      {fileActs}
      {inputActs}
    </div>
  );
}

const SHADE_TOP = "bg-linear-to-b rounded-t-md from-black/45 to-transparent forced-colors:bg-none";
const SHADE = "bg-linear-to-t rounded-b-md from-black/60 to-transparent forced-colors:bg-none";

/** Whether a file of a job is starred, and a function that changes it. */
export function useFileStar(job: Job, index: number): { isStarred: boolean; toggle: () => void } {
  const { marks, change } = useMarks();
  const count = job.media.length;
  return {
    isStarred: getStarredFiles(marks.get(job.requestId), count).has(index),
    toggle: () => change([job.requestId], (known) => withFileStar(known, index, count)),
  };
}
