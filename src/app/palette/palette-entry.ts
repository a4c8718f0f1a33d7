import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { StatusTone } from "#ui/indicators.tsx";

/** The groups of the palette, in their order. */
export const GROUPS = ["On this screen", "Jobs", "Go to", "Models", "Settings", "By ID"] as const;
export type PaletteGroup = (typeof GROUPS)[number];

/** One line of the palette. */
export interface PaletteEntry {
  /** Unique in the list; part of an element's id. */
  id: string;
  group: PaletteGroup;
  label: string;
  icon?: LucideIcon | undefined;
  /** A small picture in place of the icon. */
  picture?: ReactNode;
  /** Quiet words: beside the label, or below it where there is a picture. */
  detail?: string | undefined;
  /** Other words that it is found by. */
  words?: string | undefined;
  /** A price, or how something is set now. */
  value?: string | undefined;
  /** Of a job. */
  status?: { word: string; tone: StatusTone } | undefined;
  keys?: string | undefined;
  /** Why it cannot act now. */
  unavailable?: string | undefined;
  /** It is chosen and the palette stays open. */
  staysOpen?: boolean | undefined;
  run: () => void;
}
