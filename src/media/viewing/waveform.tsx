import { clsx } from "clsx";
import { AudioLines } from "lucide-react";
import { useEffect, useState } from "react";
import { BARS, loadPeaks } from "./peaks.ts";

// A list that is scrolled past does not read what nobody looks at.
const REST_MS = 250;

/** The shape of a sound, as bars; until it is known, or where it cannot be, a plain sign of sound. */
export function Waveform({ url, className }: { url: string; className?: string | undefined }) {
  const [peaks, setPeaks] = useState<number[]>();
  useEffect(() => {
    let isGone = false;
    const wait = setTimeout(() => {
      void loadPeaks(url).then((found) => {
        if (!isGone) setPeaks(found);
      });
    }, REST_MS);
    return () => {
      isGone = true;
      clearTimeout(wait);
    };
  }, [url]);
  if (!peaks) return <AudioLines aria-hidden className={clsx("size-7", className)} strokeWidth={1.5} />;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${BARS * 3} 60`}
      preserveAspectRatio="none"
      className={clsx("h-1/2 max-h-24 w-4/5", className)}
    >
      <path
        d={peaks.map((peak, bar) => `M${bar * 3 + 1} ${30 - peak * 28}V${30 + Math.max(1, peak * 28)}`).join("")}
        stroke="currentColor"
        strokeWidth={1.6}
        strokeLinecap="round"
      />
    </svg>
  );
}
