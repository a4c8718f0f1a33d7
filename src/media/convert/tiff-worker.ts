import { readTiff } from "./read-tiff.ts";
import { serveDecoder } from "./serve-decoder.ts";

// For CMYK the decoder asks whether the page has a library for colours: here there is no page.
Object.assign(self, { window: self });
serveDecoder(readTiff);
