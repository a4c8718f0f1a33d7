import { NotifyButton } from "../alerts/notify-button.tsx";

/** That nobody has to wait here, and the offer to say when the job is done. */
export function StayNote() {
  return (
    <div className="@container rounded-md bg-panel forced-colors:border">
      <div className="flex flex-col items-start justify-between gap-x-5 gap-y-3 px-4 py-3.5 @lg:flex-row @lg:items-center">
        <p className="m-0 max-w-[52ch] text-balance text-ink-2">
          You can close this page. The job keeps running and will be here when you return.
        </p>
        <NotifyButton />
      </div>
    </div>
  );
}
