import { createHash } from "node:crypto";
import { parseUrl } from "#lib/parse-url.ts";

/** What a page of the gate says. */
export type AccessNotice =
  /** The form, with what was wrong before. `to` is the path that the person wanted. */
  | { kind: "sign-in"; to: string; problem?: string }
  | { kind: "signed-in" }
  /** No form helps: a proxy says who the person is. */
  | { kind: "words"; title: string; body: string };

// The studio's own tokens (src/styles.css), as far as this page needs them. Its fonts cannot be loaded before the sign-in.
const STYLE = `
:root{color-scheme:dark;--canvas:oklch(0.155 0.004 60);--panel:oklch(0.185 0.005 60);--field:oklch(0.155 0.004 60);
--line:oklch(1 0 0/.075);--line-strong:oklch(1 0 0/.15);--ink:oklch(0.965 0.004 80);--ink-2:oklch(0.76 0.008 75);
--accent:oklch(0.79 0.155 62);--accent-ink:oklch(0.2 0.04 60);--failed:oklch(0.71 0.17 25)}
@media(prefers-color-scheme:light){:root{color-scheme:light;--canvas:oklch(0.975 0.003 80);--panel:oklch(1 0 0);
--field:oklch(0.965 0.004 80);--line:oklch(0.2 0.01 60/.1);--line-strong:oklch(0.2 0.01 60/.2);--ink:oklch(0.22 0.008 60);
--ink-2:oklch(0.44 0.012 60);--accent:oklch(0.72 0.165 58);--accent-ink:oklch(0.19 0.04 60);--failed:oklch(0.52 0.19 25)}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px;background:var(--canvas);color:var(--ink);
font:.875rem/1.5 "Geist Variable","Geist",ui-sans-serif,system-ui,sans-serif;-webkit-font-smoothing:antialiased}
main{width:100%;max-width:22.5rem}
.brand{display:flex;align-items:center;gap:10px;margin-bottom:20px;font-weight:600;font-size:.9375rem;letter-spacing:-.01em}
.brand svg{width:1.25rem;height:1.25rem}
section{padding:24px;border:1px solid var(--line);border-radius:.875rem;background:var(--panel)}
h1{font-size:1.125rem;line-height:1.3;font-weight:600;letter-spacing:-.015em;overflow-wrap:anywhere}
p{margin-top:6px;color:var(--ink-2);overflow-wrap:anywhere;text-wrap:pretty}
form{display:grid;gap:6px;margin-top:20px}
label{font-weight:500;font-size:.8125rem}
input{width:100%;height:2.5rem;padding:0 12px;border:1px solid var(--line-strong);border-radius:.5rem;background:var(--field);
color:inherit;font:inherit}
input[aria-invalid]{border-color:var(--failed)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.problem{margin-top:2px;color:var(--failed);font-size:.8125rem}
button,a.button{display:flex;align-items:center;justify-content:center;width:100%;height:2.5rem;margin-top:12px;border:1px solid transparent;
border-radius:.5rem;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
a.button{margin-top:20px}
form:has(.plain){margin-top:10px}
button.plain{margin-top:0;border-color:var(--line-strong);background:none;color:var(--ink)}
button:hover,a.button:hover{filter:brightness(1.06)}
@media(forced-colors:active){button,a.button{border-color:ButtonText}}
`;

const BRAND = `<svg viewBox="0 0 32 32" aria-hidden="true"><defs><radialGradient id="g" cx=".35" cy=".3" r=".75"><stop offset="0" stop-color="#ffe2b0"/><stop offset=".55" stop-color="#ffa040"/><stop offset="1" stop-color="#a84a0c"/></radialGradient></defs><circle cx="16" cy="16" r="13" fill="url(#g)"/></svg>`;

const ICON = `data:image/svg+xml,${encodeURIComponent(BRAND.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))}`;

/** The policy of these pages: their own style, their own form, and nothing else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/**
 * The headers of these pages. The referrer policy lets the form's POST carry its `Origin`, which is checked: under
 * `no-referrer` a browser would send `null`.
 */
export const ACCESS_PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

/**
 * The page for a browser whose headers are too large for this host, which its cookies make. `name` is the host or the
 * origin whose cookies they are, as the request or the settings have it.
 */
export function headTooLargePage(name: string | undefined): string {
  const shown = parseUrl(name?.includes("://") ? name : `http://${name}`)?.host || "this server";
  return accessPage({
    kind: "words",
    title: `Too many cookies for ${shown}`,
    body: `Your browser sent more than 16 kB of headers, so Safelight could not read its request. Usually these are cookies for ${shown}. Other programs at this host name can set them, at any port. Load this page again: Safelight removes those of its own that it cannot use. If it does not help, delete the cookies for ${shown} in your browser’s developer tools, under Application or Storage. Deleting them with the browser’s site data works too, but removes Safelight’s data in this browser.`,
  });
}

/** A page of the gate, whole and without scripts. */
export function accessPage(notice: AccessNotice): string {
  const [title, content] = createContent(notice);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Safelight</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="brand">${BRAND}Safelight</div>
<section>
<h1>${title}</h1>
${content}
</section>
</main>
</body>
</html>
`;
}

function createContent(notice: AccessNotice): [title: string, content: string] {
  if (notice.kind === "words") return [escapeText(notice.title), `<p>${escapeText(notice.body)}</p>`];
  if (notice.kind === "signed-in") return ["You are signed in", SIGNED_IN];
  const { to, problem } = notice;
  const inputAttributes = problem === undefined ? "" : ' aria-invalid="true" aria-describedby="problem"';
  const problemText =
    problem === undefined ? "" : `<p class="problem" id="problem" role="alert">${escapeText(problem)}</p>`;
  return [
    "Sign in to Safelight",
    `<p>Enter your team’s password.</p>
<form method="post" action="/access">
<input type="hidden" name="to" value="${escapeText(to)}">
<input type="text" name="username" value="team" autocomplete="username" hidden>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus maxlength="1000"${inputAttributes}>
${problemText}
<button>Sign in</button>
</form>`,
  ];
}

const SIGNED_IN = `<p>You stay signed in for a week in this browser. Signing out keeps Safelight’s data in this browser. To remove the key too, disconnect in Settings first.</p>
<a class="button" href="/">Open Safelight</a>
<form method="post" action="/access/end">
<button class="plain">Sign out</button>
</form>`;

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
