/** An error as object storage words it: XML. */
export function storageError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { ...headers, "Content-Type": "application/xml; charset=UTF-8" } });
}

/** A file with its type and length; a Range gives 206 or 416 (RFC 9110 section 14). */
export function fileResponse(request: Request, bytes: Uint8Array<ArrayBuffer>, contentType: string): Response {
  const headers = {
    "Content-Type": contentType,
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=300",
    "X-Content-Type-Options": "nosniff",
  };
  const range = readRange(request.headers.get("range"), bytes.length);
  if (range === "unsatisfiable") {
    return storageError(416, "InvalidRange", "The range is outside the file.", {
      "Content-Range": `bytes */${bytes.length}`,
    });
  }
  const part = range === undefined ? bytes : bytes.subarray(range.first, range.last + 1);
  return new Response(request.method === "HEAD" ? null : part, {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      "Content-Length": String(part.length),
      ...(range === undefined ? {} : { "Content-Range": `bytes ${range.first}-${range.last}/${bytes.length}` }),
    },
  });
}

/** One range of bytes. A header that is not understood, or asks for several ranges, is ignored: the whole file is right then. */
function readRange(
  header: string | null,
  length: number,
): { first: number; last: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const suffix = Math.min(Number(to), length);
    return suffix === 0 ? "unsatisfiable" : { first: length - suffix, last: length - 1 };
  }
  const first = Number(from);
  if (first >= length) return "unsatisfiable";
  if (to !== "" && Number(to) < first) return undefined;
  return { first, last: to === "" ? length - 1 : Math.min(Number(to), length - 1) };
}
