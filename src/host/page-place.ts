const BY_PAGE = '<meta name="safelight-sandbox" content="page"';

/**
 * The built page says that nobody but itself can run the sandbox, which is true on a static file host. Where a host
 * brings the sandbox, this says so in the page.
 */
export function sayHostHasSandbox(html: string): string {
  return html.replace(BY_PAGE, BY_PAGE.replace("page", "host"));
}
