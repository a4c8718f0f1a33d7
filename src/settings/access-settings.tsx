import { useEffect } from "react";
import { aboutHost, isServedByHost, useHostState } from "#connection/relay.ts";
import { buttonClass } from "#ui/button.tsx";

/** Whether this studio's host asked for a password; false until it has said so. */
export function useHasPassword(): boolean {
  useEffect(() => {
    if (isServedByHost()) aboutHost().catch(() => {});
  }, []);
  return useHostState(({ about }) => about?.hasPassword === true);
}

/** The way to the host's own page that signs this browser out. */
export function AccessSettings() {
  return (
    <a href="/access" className={buttonClass({ size: "sm" })}>
      Sign out of this studio
    </a>
  );
}
