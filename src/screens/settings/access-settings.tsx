import { useQuery } from "@tanstack/react-query";
import { aboutHost, isServedByHost } from "#connection/relay.ts";
import { buttonClass } from "#ui/button.tsx";

/** Whether this studio's host asked for a password; false until it has said so. */
export function useHasPassword(): boolean {
  const { data } = useQuery({ queryKey: ["about the host"], queryFn: aboutHost, enabled: isServedByHost() });
  return data?.hasPassword === true;
}

/** The way to the host's own page that signs this browser out. */
export function AccessSettings() {
  return (
    <a href="/access" className={buttonClass({ size: "sm" })}>
      Sign out of this studio
    </a>
  );
}
