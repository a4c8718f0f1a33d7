/**
 * Tests in Node that put something into the place of a module, of the page or of its stores. Modules remember what they
 * found when they were loaded, so each of these files has a worker of its own; all others share theirs.
 */
export const NEEDS_OWN_WORKER = /page-stand-in|fake-indexeddb|fresh-database|sandbox-page|vi\.(?:mock|hoisted)\(/;

/** What cannot be taken back. */
export const STAYS_IN_WORKER = /\/page-stand-in\.ts$|^fake-indexeddb/;
