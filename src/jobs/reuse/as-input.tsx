import { lazyNamed } from "#ui/lazy-named.tsx";

/** Asks which model a file is for. Loaded when wanted: it reads parameter schemas, which History does not need. */
export const AsInput = lazyNamed(() => import("./as-input-dialog.tsx"), "AsInputDialog");
