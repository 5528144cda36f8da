import { html, type Html } from "./html.ts";
import { STYLE_PATH } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** A source of `form-action`: browsers apply it to the redirect after a form, too. */
  readonly formTarget?: string | null;
}

/** A page: no scripts, nothing from other hosts, and no other site may frame it. */
export function presentPage({ title, body, status = 200, cookies = [], headers = {}, formTarget }: Page): Response {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  const sent = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [
      "default-src 'none'",
      "style-src 'self'",
      `form-action 'self'${formTarget == null ? "" : ` ${formTarget}`}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "X-Frame-Options": "DENY",
    // Under `no-referrer` browsers send `Origin: null` with a form, which is refused.
    "Referrer-Policy": "same-origin",
    ...headers,
  });
  for (const cookie of cookies) sent.append("Set-Cookie", cookie);
  return new Response(document.text, { status, headers: sent });
}

/** A redirect after a form (303), so that the form is not sent again. */
export function presentSeeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location, "Referrer-Policy": "no-referrer" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * The source of `form-action` that allows a redirect to a URI. A bracketed IPv6 host is not a source, so its
 * scheme stands for it.
 */
export function formTargetOf(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && !hostname.startsWith("[") ? origin : protocol;
}
