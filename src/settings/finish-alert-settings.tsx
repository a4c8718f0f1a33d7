import { useId, useState } from "react";
import { allowNotifications, setAlertChoice, useAlertChoice } from "#results/alerts/alert-store.ts";
import { Switch } from "#ui/checkbox.tsx";

/** Two switches: what happens when a job finishes while the person is away. The tab's title always shows it. */
export function FinishAlertSettings() {
  const { notify, sound } = useAlertChoice();
  const [isRefused, setIsRefused] = useState(false);
  const notifyId = useId();
  const soundId = useId();
  async function setNotify(wanted: boolean) {
    const isAllowed = !wanted || (await allowNotifications());
    setIsRefused(!isAllowed);
    setAlertChoice({ notify: wanted && isAllowed });
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Switch id={notifyId} checked={notify} onChange={(event) => void setNotify(event.target.checked)} />
        <label htmlFor={notifyId}>Show a notification</label>
      </div>
      {isRefused && (
        <p role="status" className="m-0 text-[12.5px] text-ink-3">
          This browser blocks notifications from this site. Allow them in its site settings.
        </p>
      )}
      <div className="flex items-center gap-3">
        <Switch id={soundId} checked={sound} onChange={(event) => setAlertChoice({ sound: event.target.checked })} />
        <label htmlFor={soundId}>Play a sound</label>
      </div>
    </div>
  );
}
