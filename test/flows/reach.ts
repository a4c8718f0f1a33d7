import type { Page } from "@playwright/test";

/** What is looked for on a page as it stands. Each gives a line for every wrong, with what it is about. */

/** How far the page can be scrolled sideways, and panes other than those of tables, code and canvases of pictures. */
export function findSideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) found.push(`the page: ${over} px`);
    for (const element of document.querySelectorAll("body *")) {
      const { overflowX } = getComputedStyle(element);
      const by = element.scrollWidth - element.clientWidth;
      if (!/auto|scroll/.test(overflowX) || by <= 1 || element.clientWidth === 0) continue;
      // Their content is of two dimensions, or one line of pictures: they scroll on their own.
      if (element.matches("textarea, pre, nav[aria-label=Filmstrip], [role=group][tabindex], :has(> table), input"))
        continue;
      found.push(`<${element.tagName.toLowerCase()} class="${element.className}">: ${by} px`);
    }
    return found;
  });
}

/**
 * Controls that cannot be pressed: scrolled into sight, something else lies over their middle. Gives also what stays in
 * place (fixed or sticky) and hides more than a third of the window.
 */
export function findCovered(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
    const room = dialogs[dialogs.length - 1] ?? document.body;
    const name = (element: Element) =>
      `<${element.tagName.toLowerCase()}> ${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 50)}`;
    const controls = room.querySelectorAll<HTMLElement>(
      "a[href], button, input:not([type=file]), select, textarea, summary, [role=slider]",
    );
    for (const control of controls) {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      // Off the screen until it has the focus.
      if (control.closest(".sr-only, [inert], [aria-hidden=true]") || control.textContent === "Skip to content")
        continue;
      control.scrollIntoView({ block: "center", inline: "center" });
      const box = control.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const x = Math.min(Math.max(box.left + box.width / 2, 0), window.innerWidth - 1);
      const y = Math.min(Math.max(box.top + box.height / 2, 0), window.innerHeight - 1);
      const hit = document.elementFromPoint(x, y);
      const isOwn = hit && (control.contains(hit) || hit.contains(control) || hit.closest("label")?.contains(control));
      if (!isOwn) found.push(`${name(control)} lies under ${hit ? name(hit) : "nothing"}`);
    }
    for (const element of room.querySelectorAll("*")) {
      const { position } = getComputedStyle(element);
      if (position !== "fixed" && position !== "sticky") continue;
      const { width, height } = element.getBoundingClientRect();
      const isWhole = element.closest("[role=dialog], [role=alertdialog], [popover]");
      if (!isWhole && width * height > (window.innerWidth * window.innerHeight) / 3)
        found.push(`${name(element)} stays in place`);
    }
    return found;
  });
}

/**
 * Controls whose target is smaller than `least` px either way. The target is the control, what is drawn around it to be
 * pressed, and its label. A link inside a sentence is exempt, and one with that much free room around it (WCAG 2.5.8).
 */
export function findSmallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((least) => {
    const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]");
    const room = dialogs[dialogs.length - 1] ?? document.body;
    const controls = [
      ...room.querySelectorAll<HTMLElement>(
        "a[href], button, input:not([type=file]):not([type=hidden]), select, textarea, summary, [role=slider], [role=option]",
      ),
    ].filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !control.closest(".sr-only, [inert]") &&
        control.textContent !== "Skip to content",
    );
    const sizeOf = (control: HTMLElement) => {
      let { width, height } = control.getBoundingClientRect();
      const after = getComputedStyle(control, "::after");
      if (after.content !== "none" && after.position === "absolute") {
        width = Math.max(width, Number.parseFloat(after.width) || 0);
        height = Math.max(height, Number.parseFloat(after.height) || 0);
      }
      for (const label of (control as HTMLInputElement).labels ?? []) {
        // A press on the label is one on the control: together they are as wide as they reach.
        const box = label.getBoundingClientRect();
        const own = control.getBoundingClientRect();
        width = Math.max(width, Math.max(box.right, own.right) - Math.min(box.left, own.left));
        height = Math.max(height, box.height);
      }
      return { width, height };
    };
    const found: string[] = [];
    for (const control of controls) {
      const { width, height } = sizeOf(control);
      if (width >= least - 0.5 && height >= least - 0.5) continue;
      const isInSentence =
        control.matches("a, button") &&
        getComputedStyle(control).display === "inline" &&
        control.parentElement?.closest("p, li, dd, span, div") !== null;
      if (isInSentence || (width < 2 && height < 2)) continue;
      const name =
        control.getAttribute("aria-label") ??
        (control as HTMLInputElement).labels?.[0]?.textContent ??
        control.textContent;
      found.push(
        `<${control.tagName.toLowerCase()}> ${(name ?? "").trim().slice(0, 40)}: ${Math.round(width)}×${Math.round(height)}`,
      );
    }
    return [...new Set(found)];
  }, least);
}

/** Texts that are cut: their box hides what does not fit, and no ellipsis with the whole text elsewhere says so. */
export function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      const isLeftOut = ".sr-only, [aria-hidden=true], table[role=grid], [class*=line-clamp]";
      if (!element.checkVisibility() || element.closest(isLeftOut)) continue;
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!hasText || element.matches("textarea, select, option")) continue;
      for (let box: HTMLElement | null = element; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        // What is scrolled can be read.
        if (/auto|scroll/.test(`${style.overflowX} ${style.overflowY}`)) break;
        if (style.overflowX !== "hidden" && style.overflowY !== "hidden" && style.overflowX !== "clip") continue;
        if (style.textOverflow === "ellipsis") break;
        const outer = box.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(element);
        const inner = range.getBoundingClientRect();
        if (inner.width > 0 && (inner.right > outer.right + 2 || inner.bottom > outer.bottom + 3)) {
          found.push(
            `${element.textContent?.trim().slice(0, 50)} in <${box.tagName.toLowerCase()} class="${box.className}">`,
          );
        }
        break;
      }
    }
    return [...new Set(found)];
  });
}
