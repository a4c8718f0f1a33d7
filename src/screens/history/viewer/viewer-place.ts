/** What the viewer shows: a job, and one of its files. */
export interface ViewerPlace {
  requestId: string;
  /** From 0. */
  file: number;
}

/** A place as it stands in the address: the id, and the file where it is not the first. */
export function placeText({ requestId, file }: ViewerPlace): string {
  return file > 0 ? `${requestId}~${file + 1}` : requestId;
}

/** A place read from the address. */
export function readPlace(text: string): ViewerPlace {
  const match = /^(.+)~(\d{1,3})$/.exec(text);
  if (!match?.[1]) return { requestId: text, file: 0 };
  return { requestId: match[1], file: Math.max(0, Number(match[2]) - 1) };
}
