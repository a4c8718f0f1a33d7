import { useBatchDocument } from "../batch-document.ts";

/** The results of a batch as a grid with its axes as headings. */
export function ContactSheet() {
  const { items } = useBatchDocument();
  return <p>{items.length} results</p>;
}
