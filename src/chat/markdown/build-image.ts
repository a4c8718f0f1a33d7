import { element } from "./element.ts";
import { safeAddress } from "./safe-address.ts";

/** Marks the buttons that `answerClick` serves. */
export const IMAGE_ADDRESS = "data-image";

/**
 * A chip that names the picture and where it lies. Nothing is asked for until the reader clicks it, for a picture's
 * address can carry the conversation away (H1). Undefined for an address that is not on the web.
 */
export function buildImage(alt: string, rawAddress: string, shown: ReadonlySet<string>): HTMLElement | undefined {
  const address = safeAddress(rawAddress);
  if (!address || address.href.startsWith("mailto:")) return undefined;
  if (shown.has(address.href)) return loadedImage(alt, address.href);
  const chip = element("button", "md-image");
  chip.type = "button";
  chip.setAttribute(IMAGE_ADDRESS, address.href);
  chip.setAttribute("data-alt", alt);
  chip.append(
    element("span", "md-image-alt", alt.trim() === "" ? "Picture" : `Picture: ${alt}`),
    " ",
    element("span", "md-image-place", `${address.target}${address.path}`),
    " ",
    element("span", "md-image-load", "Load"),
  );
  return chip;
}

/** The picture itself. The referrer is settled before the address, which starts the request. */
export function loadedImage(alt: string, href: string): HTMLImageElement {
  const image = element("img");
  image.setAttribute("referrerpolicy", "no-referrer");
  image.alt = alt;
  image.src = href;
  return image;
}
