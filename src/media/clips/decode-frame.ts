import { ALL_FORMATS, BlobSource, CanvasSink, EncodedPacketSink, Input } from "mediabunny";
import { canvasToPng } from "./frame-png.ts";

const BEFORE_END_SECONDS = 1;

/**
 * The last frame of a clip as a PNG, upright, by the browser's decoder. Undefined where there is no decoder for it. Rejects
 * where the clip is broken.
 */
export async function decodeLastFrame(clip: Blob): Promise<Blob | undefined> {
  const input = new Input({ source: new BlobSource(clip), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track || !(await track.canDecode())) return undefined;
    // The latest in the order of showing. The length that a file states may lie before or after it.
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true });
    if (!last) return undefined;
    const sink = new CanvasSink(track, { poolSize: 2 });
    let frame = await sink.getCanvas(last.timestamp);
    // A file that gives its last frame no length has none at that time: then it is reached by going on to the end.
    if (!frame) for await (const next of sink.canvases(Math.max(0, last.timestamp - BEFORE_END_SECONDS))) frame = next;
    return frame ? await canvasToPng(frame.canvas) : undefined;
  } finally {
    input.dispose();
  }
}
