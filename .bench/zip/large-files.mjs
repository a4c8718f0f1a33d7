const CHUNK = Buffer.alloc(256 * 1024, 7);
const HEAD = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom"), Buffer.alloc(244)]);

/**
 * A route that answers `?bytes=` with a clip of so many bytes, as slowly as it is read; `lost=1` answers 404.
 * @type {import("../serve-folder.mjs").Route}
 */
export function largeFile(params, _request, response) {
  const headers = { "access-control-allow-origin": "*", "cache-control": "no-store" };
  if (params.get("lost")) {
    response.writeHead(404, headers).end();
    return;
  }
  let left = Number(params.get("bytes"));
  response.writeHead(200, { ...headers, "content-type": "video/mp4", "content-length": left });
  response.write(HEAD);
  left -= HEAD.length;
  const more = () => {
    while (left > 0) {
      const part = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= part.length;
      if (response.write(part)) continue;
      response.once("drain", more);
      return;
    }
    response.end();
  };
  more();
}
