import { useEffect } from "react";

/**
 * Replaces the package `react-style-singleton`, which writes a <style> element. A policy of `style-src 'self'` refuses
 * that and allows adopted style sheets, which do the same.
 */
export function stylesheetSingleton() {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(css: string) {
      users += 1;
      // As in the package, the css of the first user serves all until the last one is gone.
      if (users > 1) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    remove() {
      users -= 1;
      if (users > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
    },
  };
}

/** A hook that adds one sheet to the page while any component uses it. */
export function styleHookSingleton() {
  const sheet = stylesheetSingleton();
  return (styles: string) => {
    useEffect(() => {
      sheet.add(styles);
      return () => sheet.remove();
    }, [styles]);
  };
}

/** A component that does the same and shows nothing. */
export function styleSingleton() {
  const useStyle = styleHookSingleton();
  return function Sheet({ styles }: { styles: string }) {
    useStyle(styles);
    return null;
  };
}
