/**
 * An amount to the micro-dollar, whose digits below a cent stand back: "$15.70" and "3668". Words such as "Unknown" and a
 * sign before the amount stay as they are.
 */
export function Amount({ text }: { text: string }) {
  const [, head = text, rest = ""] = /^(.*\$[\d,]+\.\d\d)(\d*)$/.exec(text) ?? [];
  return (
    <span className="whitespace-nowrap tabular-nums">
      {head}
      {rest !== "" && <span className="font-normal text-[0.8em] text-ink-3">{rest}</span>}
    </span>
  );
}
