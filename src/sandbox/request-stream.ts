/** The body of a request as a stream, in Firefox too, which has no `Request.body`; null where there is none. */
export async function requestStream(request: Request): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  const { body } = request as { body: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined };
  return body === undefined ? (await request.blob()).stream() : body;
}
