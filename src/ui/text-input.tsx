import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { inputClass } from "./input-class.ts";

export interface TextInputProps extends ComponentProps<"input"> {
  /** For ids, keys, addresses and JSON. */
  mono?: boolean | undefined;
}

/** A one-line input, 34 px high. Native props pass through. */
export function TextInput({ mono = false, className, type = "text", ...rest }: TextInputProps) {
  return (
    <input
      {...rest}
      type={type}
      className={inputClass(
        clsx("h-[34px] pointer-coarse:h-10 pointer-coarse:text-[16px]", mono && "font-mono text-[12.5px]", className),
      )}
    />
  );
}
