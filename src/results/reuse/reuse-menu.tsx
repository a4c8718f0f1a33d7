import { useNavigate } from "@tanstack/react-router";
import type { Job, MediaItem } from "#api/types.ts";
import { isFileDeleted, isMediaDeleted } from "#media/deleted-media.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { ButtonSize } from "#ui/button.tsx";
import type { Acts } from "#ui/commands.ts";
import { Menu } from "#ui/menu.tsx";
import { resultCommands } from "../commands.ts";

const REUSED = ["editAgain", "newSeed", "reusePrompt", "reuseSeed"] as const;

/** The acts that put settings of a job into the form of its model, by their commands. */
export function useReuseActs(job: JobRecord | undefined): Acts<typeof resultCommands> {
  const reuse = useReuse();
  if (job?.model === undefined) return {};
  return {
    editAgain: () => reuse(job, "all"),
    newSeed: () => reuse(job, "noseed"),
    reusePrompt: () => reuse(job, "prompt"),
    reuseSeed: () => reuse(job, "seed"),
  };
}

interface ReuseMenuProps {
  /** The acts that are possible now. */
  acts: Acts<typeof resultCommands>;
  size?: ButtonSize | undefined;
}

/**
 * Puts settings of this job into the form of its model, or its file into the form of another. Create shows the exact
 * price on its Run button before anything is run.
 */
export function ReuseMenu({ acts, size }: ReuseMenuProps) {
  const items = [...REUSED, "input" as const].flatMap((name) => {
    const command = resultCommands[name];
    const act = acts[name];
    return act ? [{ label: command.label, command, onSelect: () => void act() }] : [];
  });
  return items.length > 0 ? <Menu label="Reuse" align="end" items={items} size={size} /> : null;
}

/** The file of a job that another model can be given: it has a URL of its own, and was not deleted. */
export function getReusableFile(job: JobRecord, file: number): MediaItem | undefined {
  const item = job.media[file];
  const isGone = isMediaDeleted(job.requestId) || (item && isFileDeleted(item.url));
  return item && /^https?:/i.test(item.url) && !isGone ? item : undefined;
}

/** Which part of a job's settings goes into the form: the words of Create's URL. */
type ReusedPart = "all" | "noseed" | "prompt" | "seed";

/** Gives a function that opens Create with settings of a job in the form. It does nothing for a job of unknown model. */
export function useReuse(): (job: Pick<Job, "requestId" | "model">, keep: ReusedPart) => void {
  const navigate = useNavigate();
  return (job, keep) => {
    if (!job.model) return;
    void navigate({
      to: "/create/$modelId",
      params: { modelId: job.model },
      search: { from: job.requestId, keep },
    });
  };
}
