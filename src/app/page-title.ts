declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The screen's name in the document's title. */
    title?: string;
  }
}

interface Titled {
  staticData?: { title?: string } | undefined;
}

/** The name of the innermost matched screen that has one, or empty. */
export function pageTitle(matches: readonly Titled[]): string {
  // Only the root fits an address that names no screen.
  if (matches.length === 1) return "Page not found";
  return matches.findLast((match) => match.staticData?.title)?.staticData?.title ?? "";
}
