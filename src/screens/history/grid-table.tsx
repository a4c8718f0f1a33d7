import type { ComponentProps } from "react";

/** A table that is worked with the keyboard when given the role `grid`: rows and cells come with the element. */
export function GridTable(props: ComponentProps<"table">) {
  return <table {...props} />;
}

/** A cell of such a table: in a grid it may be selected. */
export function GridCell(props: ComponentProps<"td">) {
  return <td {...props} />;
}
