import { readHeic } from "./read-heic.ts";
import { serveDecoder } from "./serve-decoder.ts";

serveDecoder(readHeic);
