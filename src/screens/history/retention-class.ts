import { retentionTone } from "#media/retention.ts";

/** The colour of days left: yellow from 14, red from 3, none before and after. */
export function retentionClass(days: number | undefined): string | undefined {
  const tone = days === undefined ? "fine" : retentionTone(days);
  if (tone === "last") return "text-failed!";
  return tone === "soon" ? "text-unconfirmed!" : undefined;
}
