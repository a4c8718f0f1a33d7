import { isRecord } from "#lib/json.ts";

/** How requests travel: from the page itself, or through the relay of the studio's own host. */
export type Route = "direct" | "relay";

/** Each part of a service may refuse a page on its own: most APIs do, and many storages. */
export interface Routes {
  queue: Route;
  inference: Route;
  /** The signed PUT of an input. */
  upload: Route;
  /** Generated files, where their bytes are read. */
  media: Route;
}

export const ALL_DIRECT: Routes = { queue: "direct", inference: "direct", upload: "direct", media: "direct" };

/** Routes from untrusted data: anything but a known word is direct. */
export function readRoutes(raw: unknown): Routes {
  const record = isRecord(raw) ? raw : {};
  const read = (name: keyof Routes): Route => (record[name] === "relay" ? "relay" : "direct");
  return { queue: read("queue"), inference: read("inference"), upload: read("upload"), media: read("media") };
}
