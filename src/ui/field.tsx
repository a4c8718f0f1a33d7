import { clsx } from "clsx";
import { ChevronDown, CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { mergeRefs } from "./merge-refs.ts";

/** What a control inside a field needs to be wired to it. */
export interface FieldIds {
  /** The control's `id`, to which the label points. */
  id: string;
  /** The id of the label. A control that is a group (`Segmented`) needs it as `labelledBy`. */
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
}

interface FieldProps {
  label: string;
  /** A sentence under the control. An error takes its place. */
  hint?: ReactNode;
  /** A few words beside the label, such as "1 to 10". */
  note?: ReactNode;
  /** At the right end of the label's line: a link, a reset button. Replaces "required". */
  aside?: ReactNode;
  error?: string | undefined;
  required?: boolean | undefined;
  /** The value differs from the default, which an amber dot after the label shows. */
  changed?: boolean | undefined;
  /** The field has no errors, so no line is reserved for one. */
  errorless?: boolean | undefined;
  /** The control is a group of controls, so the label cannot point at one of them. */
  group?: boolean | undefined;
  className?: string | undefined;
  children: (ids: FieldIds) => ReactNode;
}

/**
 * A label, a control, and one line under it for the hint or the error. The line is always there, so that an error which
 * appears on leaving the field moves nothing under the pointer. It is also the gap to the next field: stack fields without a gap.
 */
export function Field(props: FieldProps) {
  const id = useId();
  const labelId = `${id}-label`;
  const lineId = `${id}-line`;
  const noteId = `${id}-note`;
  const hasLine = Boolean(props.error ?? props.hint);
  const describedBy = [props.note && noteId, hasLine && lineId].filter(Boolean).join(" ") || undefined;
  const labelClass = "font-medium text-sm text-ink";
  return (
    <div className={clsx("flex flex-col gap-1.5", props.className)}>
      <div className="flex min-h-5 flex-wrap items-center gap-x-1.5 text-sm text-ink-3">
        {props.group ? (
          <span id={labelId} className={labelClass}>
            {props.label}
          </span>
        ) : (
          <label id={labelId} htmlFor={id} className={labelClass}>
            {props.label}
          </label>
        )}
        {props.changed && (
          <span
            title="Changed from default"
            className="size-1.25 shrink-0 rounded-full bg-accent forced-color-adjust-none"
          >
            <span className="sr-only">changed</span>
          </span>
        )}
        {props.note && <span id={noteId}>{props.note}</span>}
        <span className="ms-auto flex items-center gap-0.5">
          {props.aside ?? (props.required && <span aria-hidden="true">required</span>)}
        </span>
      </div>
      {props.children({ id, labelId, describedBy, invalid: Boolean(props.error) })}
      <div
        id={lineId}
        hidden={props.errorless && !hasLine}
        className="wrap-anywhere -mt-0.75 min-h-4.5 text-xs text-ink-3 leading-normal"
      >
        {props.error ? (
          <span className="flex items-start gap-1.5 text-failed">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            <span>{props.error}</span>
          </span>
        ) : (
          props.hint
        )}
      </div>
    </div>
  );
}

interface TextInputProps extends ComponentProps<"input"> {
  /** For ids, keys, URLs and JSON. */
  mono?: boolean | undefined;
}

/** A one-line input, 34 px high. Native props pass through. Its writing direction follows from the text. */
export function TextInput({ mono = false, className, type = "text", ...rest }: TextInputProps) {
  return (
    <input
      dir={!mono && (type === "text" || type === "search") ? "auto" : undefined}
      {...rest}
      type={type}
      className={inputClass(
        clsx("min-h-8.5 pointer-coarse:min-h-11 pointer-coarse:text-lg", mono && "font-mono text-sm", className),
      )}
    />
  );
}

interface TextAreaProps extends ComponentProps<"textarea"> {
  mono?: boolean | undefined;
}

let hasFieldSizing: boolean | undefined;

/** Whether text areas grow by CSS alone. Asked only once: the answer costs as much time as the rest of a keystroke. */
function supportsFieldSizing(): boolean {
  hasFieldSizing ??= typeof CSS !== "undefined" && CSS.supports?.("field-sizing", "content") === true;
  return hasFieldSizing;
}

/** Makes a text area as high as its text where CSS cannot. `TextArea` calls it, but not when a script sets its text. */
export function fitHeight(area: HTMLElement | null): void {
  if (!(area instanceof HTMLTextAreaElement) || supportsFieldSizing()) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}

/** A text area that grows with its text, from `rows` (default 4) to 60 % of the window's height, then scrolls. */
export function TextArea({ mono = false, className, rows = 4, onInput, ref, ...rest }: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => fitHeight(area.current));
  return (
    <textarea
      dir={mono ? undefined : "auto"}
      {...rest}
      ref={ref ? mergeRefs(area, ref) : area}
      rows={rows}
      onInput={(event) => {
        fitHeight(event.currentTarget);
        onInput?.(event);
      }}
      style={{ minHeight: `${rows * 1.25 + 1}rem`, ...rest.style }}
      className={inputClass(
        clsx(
          "field-sizing-content block max-h-[60dvh] resize-y py-1.75 short:max-h-none leading-normal pointer-coarse:text-lg",
          mono && "font-mono text-sm",
          className,
        ),
      )}
    />
  );
}

interface SelectProps extends ComponentProps<"select"> {
  /** 26 px high, for toolbars. Otherwise 34. */
  compact?: boolean | undefined;
}

/** The platform's own select, styled as an input. Options are children. */
export function Select({ compact = false, className, children, ...rest }: SelectProps) {
  return (
    <span className={clsx("relative block", className)}>
      <select
        {...rest}
        className={inputClass(
          clsx(
            "cursor-pointer appearance-none pe-8 [&>option]:bg-panel [&>option]:text-ink",
            "pointer-coarse:min-h-11 pointer-coarse:text-lg",
            compact ? "min-h-6.5 text-sm" : "min-h-8.5",
          ),
        )}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute end-2.5 top-1/2 size-4 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}

/** The classes of inputs, text areas and selects. Their invalid look comes from `aria-invalid`. */
export function inputClass(className?: string | undefined): string {
  return clsx(
    "control text-ellipsis rounded-sm border border-line bg-well px-2.5 text-ink placeholder:text-ink-3",
    "transition-[border-color] duration-150 hover:border-line-strong",
    "focus-visible:-outline-offset-1 focus-visible:border-transparent",
    "aria-invalid:border-failed disabled:cursor-not-allowed disabled:opacity-55",
    className,
  );
}

/** Lucide's circled question mark as one path: a long form has one in every row. */
export function HelpIcon() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-3.5"
    >
      <path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17h.01" />
    </svg>
  );
}
