// Markers of JPEG segments, which follow a byte 0xff.
const START_OF_IMAGE = 0xd8;
const JFIF = 0xe0;
const APP1 = 0xe1;
const START_OF_SCAN = 0xda;

const HEADER = "http://ns.adobe.com/xap/1.0/\0";
const NAMESPACE = "urn:safelight:settings";
/** A segment of a JPEG holds 65,533 bytes after its length. */
const MAX_BYTES = 65_533 - HEADER.length;

/**
 * A JPEG with an XMP packet put in after its first marker: the description and the settings. Undefined where the bytes
 * are no JPEG or the texts do not fit into one segment. The picture itself is not touched.
 */
export function withJpegXmp(jpeg: Uint8Array, texts: { description: string; settings: string }): Blob | undefined {
  if (jpeg[0] !== 0xff || jpeg[1] !== START_OF_IMAGE) return undefined;
  const packet = new TextEncoder().encode(xmpPacket(texts));
  if (packet.length > MAX_BYTES) return undefined;
  const segment = new Uint8Array(4 + HEADER.length + packet.length);
  segment.set([0xff, APP1, (segment.length - 2) >> 8, (segment.length - 2) & 0xff]);
  segment.set(new TextEncoder().encode(HEADER), 4);
  segment.set(packet, 4 + HEADER.length);
  const at = afterJfif(jpeg);
  const parts = [jpeg.subarray(0, at), segment, jpeg.subarray(at)];
  return new Blob(
    parts.map((part) => part.slice()),
    { type: "image/jpeg" },
  );
}

/** The settings in the XMP packet of a JPEG, or undefined. */
export function jpegSettings(jpeg: Uint8Array): string | undefined {
  for (const { marker, data } of segments(jpeg)) {
    if (marker !== APP1 || !startsWith(data, HEADER)) continue;
    const text = new TextDecoder().decode(data.subarray(HEADER.length));
    const found = /safelight:settings="([^"]*)"/.exec(text)?.[1];
    if (found !== undefined) return unescapeXml(found);
  }
  return undefined;
}

function xmpPacket({ description, settings }: { description: string; settings: string }): string {
  return (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""' +
    ` xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:safelight="${NAMESPACE}" safelight:settings="${escapeXml(settings)}">` +
    `<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(description)}</rdf:li></rdf:Alt></dc:description>` +
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
  );
}

function* segments(jpeg: Uint8Array): Generator<{ marker: number; data: Uint8Array; end: number }> {
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg[at + 1] ?? 0;
    const length = ((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0);
    // The picture's own data begins here.
    if (marker === START_OF_SCAN || length < 2) return;
    yield { marker, data: jpeg.subarray(at + 4, at + 2 + length), end: at + 2 + length };
    at += 2 + length;
  }
}

// Readers expect the JFIF segment first.
function afterJfif(jpeg: Uint8Array): number {
  const [first] = segments(jpeg);
  return first?.marker === JFIF ? first.end : 2;
}

function startsWith(data: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, place) => data[place] === character.charCodeAt(0));
}

// What XML cannot hold at all is left out; lone halves of surrogate pairs are replaced by the encoder.
function escapeXml(text: string): string {
  return Array.from(text)
    .filter((character) => character >= " " || character === "\t" || character === "\n" || character === "\r")
    .join("")
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(?:#(\d{1,7})|(\w+));/g, (whole, code?: string, name?: string) => {
    if (code) return Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : whole;
    return (name && named[name]) ?? whole;
  });
}
