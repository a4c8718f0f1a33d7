import { fileURLToPath } from "node:url";

/** A page for hosts whose page is not the subject. A host gives out whatever lies in its folder. */
export const PAGE_FOLDER = fileURLToPath(new URL("./page", import.meta.url));
