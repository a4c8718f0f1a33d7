import { type ReactNode, useId } from "react";
import { BooleanControl } from "../controls/boolean-control.tsx";
import type { ControlProps } from "../controls/control-props.ts";
import type { BooleanField } from "../read/field.ts";
import type { FieldView } from "./form-store.ts";

interface SwitchRowProps extends Omit<ControlProps<BooleanField>, "ids"> {
  view: FieldView;
  aside: ReactNode;
  hint: ReactNode;
}

/** A switch and its label on one line. */
export function SwitchRow({ view, aside, hint, ...control }: SwitchRowProps) {
  const id = useId();
  const lineId = `${id}-line`;
  const hasLine = Boolean(view.message ?? hint);
  const ids = { id, labelId: `${id}-label`, describedBy: hasLine ? lineId : undefined, invalid: Boolean(view.message) };
  return (
    <div className="flex flex-col">
      <div className="flex min-h-8 items-center gap-1.5 text-[12.5px] text-ink-3 pointer-coarse:min-h-10">
        <label id={ids.labelId} htmlFor={id} className="cursor-pointer py-1 font-medium text-ink">
          {control.field.label}
        </label>
        {view.changed && (
          <span title="Changed from the default" className="size-[5px] shrink-0 rounded-full bg-accent">
            <span className="sr-only">changed</span>
          </span>
        )}
        <span className="ml-auto flex items-center gap-0.5">{aside}</span>
        <BooleanControl {...control} ids={ids} />
      </div>
      <div id={lineId} className="wrap-anywhere min-h-2.5 text-[12px] text-ink-3 leading-[18px]">
        {view.message ? <span className="text-failed">{view.message}</span> : hint}
      </div>
    </div>
  );
}
