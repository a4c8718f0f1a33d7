import { AudioBufferSink, type InputAudioTrack } from "mediabunny";

/** The rate and the channels to which every clip's sound is converted before encoding: all encoders take them. */
export const SOUND_HERTZ = 48_000;
export const SOUND_CHANNELS = 2;

/**
 * The sound of one clip from the time of its first picture on, as long as its pictures, in stereo; silence where it has
 * none. Rejects where the browser cannot decode it.
 */
export async function renderSound(
  track: InputAudioTrack | undefined,
  startSeconds: number,
  seconds: number,
): Promise<AudioBuffer> {
  const frames = Math.max(1, Math.round(seconds * SOUND_HERTZ));
  const context = new OfflineAudioContext(SOUND_CHANNELS, frames, SOUND_HERTZ);
  const whole = track && (await decodeWhole(track, startSeconds, seconds));
  if (whole) {
    const player = context.createBufferSource();
    player.buffer = whole;
    player.connect(context.destination);
    player.start();
  }
  return context.startRendering();
}

/** Decodes the sound in one piece, so that changing its rate leaves no seams. */
async function decodeWhole(track: InputAudioTrack, start: number, seconds: number): Promise<AudioBuffer | undefined> {
  let whole: AudioBuffer | undefined;
  for await (const { buffer, timestamp } of new AudioBufferSink(track).buffers(start, start + seconds)) {
    const { numberOfChannels, sampleRate } = buffer;
    whole ??= new AudioBuffer({ numberOfChannels, sampleRate, length: Math.ceil(seconds * sampleRate) + 1 });
    const offset = Math.round((timestamp - start) * sampleRate);
    for (let channel = 0; channel < Math.min(numberOfChannels, whole.numberOfChannels); channel += 1) {
      // A piece that begins before the first picture is cut at its front.
      const samples = buffer.getChannelData(channel).subarray(Math.max(0, -offset));
      if (samples.length > 0) whole.copyToChannel(samples, channel, Math.max(0, offset));
    }
  }
  return whole;
}
