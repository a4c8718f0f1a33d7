import { clsx } from "clsx";
import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

/** What a control inside a field needs to be wired to it. */
export interface FieldIds {
  /** For the control's own `id`; the label points at it. */
  id: string;
  /** For a control that is a group (`Segmented`): pass it as `labelledBy`. */
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
}

export interface FieldProps {
  label: string;
  /** A sentence under the control. An error takes its place. */
  hint?: ReactNode;
  /** A few words beside the label, such as "1 to 10". */
  note?: ReactNode;
  /** At the right end of the label's line: a link, a reset button. Replaces "required". */
  aside?: ReactNode;
  error?: string | undefined;
  required?: boolean | undefined;
  /** Differs from the default: an amber dot after the label. */
  changed?: boolean | undefined;
  /** The control is a group of controls, so the label cannot point at one of them. */
  group?: boolean | undefined;
  className?: string | undefined;
  children: (ids: FieldIds) => ReactNode;
}

/**
 * A label, a control, and one line under it for the hint or the error. The line is always there, so that an error that
 * appears on leaving the field moves nothing under the pointer; it is also the gap to the next
 * field, so stack fields without a gap of their own.
 */
export function Field(props: FieldProps) {
  const id = useId();
  const labelId = `${id}-label`;
  const lineId = `${id}-line`;
  const noteId = `${id}-note`;
  const hasLine = Boolean(props.error ?? props.hint);
  const describedBy = [props.note && noteId, hasLine && lineId].filter(Boolean).join(" ") || undefined;
  const labelClass = "font-medium text-[12.5px] text-ink";
  return (
    <div className={clsx("flex flex-col gap-1.5", props.className)}>
      <div className="flex min-h-5 items-center gap-1.5 text-[12.5px] text-ink-3">
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
          <span title="Changed from the default" className="size-[5px] shrink-0 rounded-full bg-accent">
            <span className="sr-only">changed</span>
          </span>
        )}
        {props.note && <span id={noteId}>{props.note}</span>}
        <span className="ml-auto flex items-center gap-0.5">
          {props.aside ?? (props.required && <span aria-hidden="true">required</span>)}
        </span>
      </div>
      {props.children({ id, labelId, describedBy, invalid: Boolean(props.error) })}
      <div id={lineId} className="wrap-anywhere -mt-[3px] min-h-[18px] text-[12px] text-ink-3 leading-[18px]">
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
