import { ALL_FORMATS, BlobSource, CanvasSink, EncodedPacketSink, Input } from "mediabunny";
import { pngOf } from "./frame-png.ts";

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
    const frame = last && (await new CanvasSink(track).getCanvas(last.timestamp));
    return frame ? await pngOf(frame.canvas) : undefined;
  } finally {
    input.dispose();
  }
}
