import { ALL_FORMATS, BlobSource, CanvasSink, EncodedPacketSink, Input } from "mediabunny";
import { canvasToPng } from "./frame-png.ts";

/** The end of a clip that is decoded where its last frame cannot be asked for by its time. */
const BEFORE_END_SECONDS = 1;

/**
 * The last frame of a clip as a PNG, upright, by the browser's decoder. Undefined where there is no decoder for it.
 * Rejects where the clip is broken.
 */
export async function decodeLastFrame(clip: Blob): Promise<Blob | undefined> {
  const input = new Input({ source: new BlobSource(clip), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track || !(await track.canDecode())) return undefined;
    // The packet that is shown last. The duration that a file states may end before or after it.
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true });
    if (!last) return undefined;
    const sink = new CanvasSink(track, { poolSize: 2 });
    let frame = await sink.getCanvas(last.timestamp);
    // Where a file gives its last frame no duration, there is no frame at its time: then the end is decoded as a whole.
    if (!frame) for await (const next of sink.canvases(Math.max(0, last.timestamp - BEFORE_END_SECONDS))) frame = next;
    return frame ? await canvasToPng(frame.canvas) : undefined;
  } finally {
    input.dispose();
  }
}
