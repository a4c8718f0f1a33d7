/** What the first bytes of an image, video or audio file say that it is. */
export interface FileSignature {
  /** `other` for images that most browsers cannot show. */
  kind: "image" | "video" | "audio" | "other";
  extension: string;
  mimeType: string;
}

/** How many bytes `readSignature` looks at. */
export const SIGNATURE_BYTES = 64;

const signature = (kind: FileSignature["kind"], extension: string, mimeType: string): FileSignature => ({
  kind,
  extension,
  mimeType,
});

const PNG = signature("image", "png", "image/png");
const JPEG = signature("image", "jpg", "image/jpeg");
const GIF = signature("image", "gif", "image/gif");
const WEBP = signature("image", "webp", "image/webp");
const AVIF = signature("image", "avif", "image/avif");
const BMP = signature("image", "bmp", "image/bmp");
const TIFF = signature("other", "tiff", "image/tiff");
const HEIC = signature("other", "heic", "image/heic");
const MP4 = signature("video", "mp4", "video/mp4");
const MOV = signature("video", "mov", "video/quicktime");
const WEBM = signature("video", "webm", "video/webm");
const MKV = signature("video", "mkv", "video/x-matroska");
const OGV = signature("video", "ogv", "video/ogg");
const M4A = signature("audio", "m4a", "audio/mp4");
const MP3 = signature("audio", "mp3", "audio/mpeg");
const AAC = signature("audio", "aac", "audio/aac");
const WAV = signature("audio", "wav", "audio/wav");
const OGG = signature("audio", "ogg", "audio/ogg");
const FLAC = signature("audio", "flac", "audio/flac");

/**
 * What a file is by its first bytes, never by its name or by the type it was sent with. Undefined where they match none of
 * the kinds of images, videos and audio files above, such as for a page or an SVG.
 */
export function readSignature(bytes: Uint8Array): FileSignature | undefined {
  const text = (start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return PNG;
  if (text(0, 3) === "\xff\xd8\xff") return JPEG;
  if (text(0, 4) === "GIF8") return GIF;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return WEBP;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WAVE") return WAV;
  if (text(4, 8) === "ftyp") return isoBrand(text(8, 12));
  if (text(0, 4) === "\x1a\x45\xdf\xa3") return text(4, SIGNATURE_BYTES).includes("matroska") ? MKV : WEBM;
  if (text(0, 3) === "ID3" || isMpegAudioFrame(bytes)) return MP3;
  if (isAdtsFrame(bytes)) return AAC;
  if (text(0, 4) === "OggS") return text(28, 35) === "\x80theora" ? OGV : OGG;
  if (text(0, 4) === "fLaC") return FLAC;
  if (text(0, 4) === "II*\0" || text(0, 4) === "MM\0*") return TIFF;
  // Two letters alone would also begin a text: the four reserved bytes are zero.
  if (text(0, 2) === "BM" && text(6, 10) === "\0\0\0\0") return BMP;
  return undefined;
}

function isoBrand(brand: string): FileSignature {
  if (brand === "avif" || brand === "avis") return AVIF;
  if (["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].includes(brand)) return HEIC;
  if (brand === "qt  ") return MOV;
  if (brand === "M4A " || brand === "M4B ") return M4A;
  return MP4;
}

// A frame header without an ID3 tag: eleven set bits, and neither a reserved version, layer, bit rate nor sample rate.
function isMpegAudioFrame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const isVersionKnown = (second & 0x18) !== 0x08;
  const isLayerThree = (second & 0x06) === 0x02;
  const isRateKnown = (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c;
  return isVersionKnown && isLayerThree && isRateKnown;
}

// AAC in ADTS frames: twelve set bits, layer 0, and one of the thirteen sample rates.
function isAdtsFrame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  return first === 0xff && (second & 0xf6) === 0xf0 && ((third >> 2) & 0x0f) < 13 && bytes.length >= 7;
}
