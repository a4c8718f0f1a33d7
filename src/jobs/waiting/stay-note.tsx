import { NotifyButton } from "../alerts/notify-button.tsx";

/** That nobody has to wait here, and the offer to say when the job is done. */
export function StayNote() {
  return (
    <div className="flex items-center justify-between gap-x-5 gap-y-3 rounded-md bg-panel px-4 py-3.5 max-sm:flex-col max-sm:items-start forced-colors:border">
      <p className="m-0 max-w-[52ch] text-balance text-ink-2">
        You can close this page. The job keeps running and will be here when you return.
      </p>
      <NotifyButton />
    </div>
  );
}
