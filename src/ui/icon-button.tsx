import { Button, type ButtonProps } from "./button.tsx";

export interface IconButtonProps extends Omit<ButtonProps, "aria-label" | "title" | "square"> {
  /** The accessible name, also shown as the native tooltip. */
  label: string;
}

/** A square button that shows only an icon (16 px) and is named by `label`. */
export function IconButton({ label, variant = "ghost", ...rest }: IconButtonProps) {
  return <Button {...rest} square variant={variant} aria-label={label} title={label} />;
}
