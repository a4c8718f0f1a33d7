import { readFile } from "node:fs/promises";
import libheif from "libheif-js/libheif/libheif.js";
import { expect, test } from "vitest";

/** What a build of libheif tells about itself. */
interface Versions {
  heif_get_version(): string;
  /** Where the text begins in the memory of the library; a zero ends it. */
  _de265_get_version(): number;
  HEAPU8: Uint8Array;
}

// LGPL 3, section 4: whoever gets the decoder learns exactly what it is, and where its source is.
test("the notice names the exact versions that the decoder says of itself", async () => {
  const library = (libheif as unknown as () => Versions)();
  const at = library._de265_get_version();
  const bytes = library.HEAPU8.slice(at, library.HEAPU8.indexOf(0, at));
  const [heif, de265] = [library.heif_get_version(), new TextDecoder().decode(bytes)];
  const { version } = JSON.parse(await readFile("node_modules/libheif-js/package.json", "utf8"));
  const notice = await readFile("public/licences/libheif.txt", "utf8");
  expect(notice).toContain(`/v${heif}/libheif-${heif}.tar.gz`);
  expect(notice).toContain(`/v${de265}/libde265-${de265}.tar.gz`);
  expect(notice).toContain(`libheif-js-${version}.tgz`);
});
