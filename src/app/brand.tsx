/** The lamp and the name. */
export function Brand() {
  return (
    <span className="flex items-center gap-[9px] font-semibold text-[14.5px] tracking-[-0.01em]">
      <span aria-hidden="true" className="lamp size-[18px] shrink-0 rounded-full" />
      Safelight
    </span>
  );
}
