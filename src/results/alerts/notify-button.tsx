import { Bell, BellOff, BellRing, Volume2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { jobCommands } from "../commands.ts";
import { allowNotifications, notificationAccess, setAlertChoice, useAlertChoice } from "./alert-store.ts";

/** Why this browser shows no notification, and what can be done about it. */
const NO_ACCESS = {
  insecure: "Notifications need a secure connection (HTTPS).",
  unsupported: "This browser doesn’t support notifications here.",
  denied: "Notifications are blocked. Allow them in your browser’s site settings.",
} as const;

interface NotifyButtonProps {
  /** Shows a shorter label, for a narrow line. The accessible name stays the long one. */
  isShort?: boolean | undefined;
  className?: string | undefined;
}

/**
 * Offers to say when a job is done, beside the job that is waited for: by notification, or by a sound where this browser
 * shows none. Settings has the same choice. It renders a button and, after a press, a line with the outcome below everything
 * else. So its parent must be a grid or a flex box that wraps.
 */
export function NotifyButton({ isShort = false, className }: NotifyButtonProps) {
  const { notify, sound } = useAlertChoice();
  const [access, setAccess] = useState(notificationAccess);
  const [isAsking, setIsAsking] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const canNotify = access === "granted" || access === "open";
  const isOn = canNotify ? notify && access === "granted" : sound;

  async function toggle() {
    setIsPressed(true);
    if (!canNotify) return setAlertChoice({ sound: !sound });
    if (isOn) return setAlertChoice({ notify: false });
    setIsAsking(true);
    const isAllowed = await allowNotifications().catch(() => false);
    setIsAsking(false);
    setAccess(notificationAccess());
    setAlertChoice({ notify: isAllowed });
  }
  const label = canNotify ? "Notify me when done" : "Play sound when done";
  const offLabel = canNotify ? "Turn off notifications" : "Turn off sound";
  const visibleLabel = isShort ? (isOn ? "Turn off" : canNotify ? "Notify me" : "Play sound") : isOn ? offLabel : label;
  const noAccessText = canNotify ? undefined : NO_ACCESS[access as keyof typeof NO_ACCESS];
  const Icon = isOn ? BellOff : canNotify ? Bell : Volume2;
  useCommands([
    { ...jobCommands.notifyWhenDone, label: isOn ? offLabel : label, icon: Icon, run: () => void toggle() },
  ]);
  return (
    <>
      <Button
        busy={isAsking}
        aria-label={isOn ? offLabel : label}
        title={noAccessText}
        className={className}
        onClick={() => void toggle()}
      >
        {!isAsking && <Icon aria-hidden="true" className="size-4" />}
        {visibleLabel}
      </Button>
      <p
        role="status"
        className="order-last col-span-full m-0 basis-full text-pretty text-xs text-ink-3 leading-snug empty:hidden"
      >
        {isPressed && (isOn ? <OnWords byNotification={canNotify} /> : noAccessText)}
      </p>
    </>
  );
}

function OnWords({ byNotification }: { byNotification: boolean }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <BellRing aria-hidden="true" className="size-3.5" />
      {byNotification
        ? "Notifications are on while Safelight is open in a tab."
        : "Sound is on while Safelight is open in a tab."}
    </span>
  );
}
