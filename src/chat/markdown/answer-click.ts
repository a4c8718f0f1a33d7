import { IMAGE_ADDRESS, loadedImage } from "./build-image.ts";
import type { MarkdownWriter } from "./markdown-writer.ts";

const COPIED_MS = 2_000;

/** Serves every button in written Markdown: copy and wrap of code, loading a picture, showing more. */
export function answerClick(event: Event, writer: MarkdownWriter, writeMore: () => void): void {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  const address = button.getAttribute(IMAGE_ADDRESS);
  if (address !== null) {
    writer.shownImages.add(address);
    button.replaceWith(loadedImage(button.getAttribute("data-alt") ?? "", address));
  } else if (button.hasAttribute("data-more")) {
    writer.showMore();
    writeMore();
  } else if (button.dataset.code === "wrap") toggleWrap(button);
  else if (button.dataset.code === "copy") void copyCode(button);
}

function toggleWrap(button: HTMLButtonElement): void {
  const isWrapped = button.closest(".md-code")?.classList.toggle("md-wrapped") ?? false;
  button.setAttribute("aria-pressed", String(isWrapped));
}

async function copyCode(button: HTMLButtonElement): Promise<void> {
  const code = button.closest(".md-code")?.querySelector("code")?.textContent ?? "";
  const said = await navigator.clipboard.writeText(code).then(
    () => "Copied",
    () => "Not copied",
  );
  button.textContent = said;
  button.setAttribute("aria-label", said);
  setTimeout(() => {
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy code");
  }, COPIED_MS);
}
