import { FolderOpen } from "lucide-react";
import { useEffect, useId } from "react";
import {
  allowArchiveFolder,
  archiveFolder,
  canPickFolder,
  chooseArchiveFolder,
  forgetArchiveFolder,
  useArchiveFolder,
} from "#media/download/archive-folder.ts";
import { setArchiving, useArchive } from "#results/archive/archive-store.ts";
import { Button } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { toast } from "#ui/toast-store.ts";

/** A folder into which every finished job is saved by itself, before its 60 days are over. */
export function ArchiveSettings() {
  const { phase, folder } = useArchiveFolder();
  const { isOn, saved, failed, reason } = useArchive();
  const switchId = useId();
  useEffect(() => void archiveFolder(), []);
  if (!canPickFolder()) {
    return (
      <p className="m-0 text-[12.5px] text-ink-3">
        This browser does not let pages write to a folder. You can download everything as one zip from History.
      </p>
    );
  }
  async function choose() {
    try {
      if (await chooseArchiveFolder()) setArchiving(true);
    } catch {
      toast({ tone: "error", title: "No folder", body: "The browser did not allow access to this folder." });
    }
  }
  async function forget() {
    setArchiving(false);
    await forgetArchiveFolder().catch(() => undefined);
  }
  return (
    <div className="grid justify-items-start gap-3">
      <div className="flex items-center gap-3">
        <Switch
          id={switchId}
          checked={isOn && folder !== undefined}
          disabled={folder === undefined}
          onChange={(event) => setArchiving(event.target.checked)}
        />
        <label htmlFor={switchId}>Save every finished job to a folder</label>
      </div>
      <p className="m-0 max-w-[560px] text-[12.5px] text-ink-3">
        This includes jobs that scripts or other browsers sent with the same key, once History has listed them. Those
        that expire soonest are saved first.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void choose()}>
          <FolderOpen aria-hidden className="size-4" />
          {folder ? "Choose another folder" : "Choose a folder"}
        </Button>
        {phase === "asking" && (
          <Button size="sm" variant="primary" onClick={() => void allowArchiveFolder()}>
            Allow access
          </Button>
        )}
        {folder && (
          <Button size="sm" variant="ghost" onClick={() => void forget()}>
            Remove folder
          </Button>
        )}
      </div>
      <p role="status" className="m-0 text-[12.5px] text-ink-3">
        {folder && (phase === "asking" ? `Waiting for access to ${folder.name}.` : `Folder: ${folder.name}.`)}
        {saved > 0 && ` ${saved === 1 ? "1 job" : `${saved} jobs`} saved since this page was opened.`}
        {failed > 0 && ` ${failed === 1 ? "1 job" : `${failed} jobs`} could not be saved: ${reason}`}
      </p>
    </div>
  );
}
