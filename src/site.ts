import { DOCUMENT_CACHE_CONTROL, presentDocument } from "./api/response/present-document.ts";
import { ApiError } from "./api/errors.ts";
import type { Config } from "./config.ts";
import type { Env } from "./env.ts";
import { sha256, toHex } from "./lib/crypto/hmac.ts";
import { placeTextInDeployment } from "./sandbox/samples.ts";

/** The routes of the site on the web origin. */
export const SITE_ROUTES = [
  "/",
  "/docs",
  "/docs.md",
  "/docs/*",
  "/assets/*",
  "/billing",
  "/billing.md",
  ...["learn", "glossary", "comparison", "research", "strategy"].flatMap((kind) => [
    `/${kind}`,
    `/${kind}.md`,
    `/${kind}/*`,
  ]),
];

/** No script, nothing from another origin. Pages of the website without a form share it. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  mjs: "text/javascript; charset=utf-8",
};

const HOME = "/docs";
const NOT_FOUND = "/docs/not-found.html";

/**
 * Responds with a file of the site, in which addresses and prefixes are those of this deployment.
 *
 * @param assets absent where the Worker runs without its assets
 * @throws ApiError unknown_endpoint without assets
 */
export async function serveSite(request: Request, assets: Env["ASSETS"], config: Config): Promise<Response> {
  if (assets === undefined) throw new ApiError("unknown_endpoint");
  const { pathname } = new URL(request.url);
  if (pathname === "/") return redirect(HOME);
  if (pathname.endsWith("/")) return redirect(pathname.replace(/\/+$/, ""));
  const file = /\.\w+$/.test(pathname) ? pathname : `${pathname}.html`;
  const found = await readAsset(assets, file);
  const text = found ?? (await readAsset(assets, NOT_FOUND));
  if (text === null) throw new ApiError("unknown_endpoint");
  const placed = (await placeTextInDeployment(text, config)).replaceAll(
    "x-service-",
    `${config.webhooks.headerPrefix}-`,
  );
  const type = (found === null ? undefined : TYPES[file.slice(file.lastIndexOf(".") + 1)]) ?? TYPES["html"] ?? "";
  const policy: Record<string, string> = type === TYPES["html"] ? { "Content-Security-Policy": PAGE_POLICY } : {};
  const bytes = new TextEncoder().encode(placed);
  if (found === null)
    return new Response(bytes, {
      status: 404,
      headers: { ...policy, "content-type": type, "Cache-Control": DOCUMENT_CACHE_CONTROL },
    });
  const etag = `W/"${toHex((await sha256(placed)).subarray(0, 16))}"`;
  const response = await presentDocument(request, etag, async () => bytes, type);
  for (const [name, value] of Object.entries(policy)) response.headers.set(name, value);
  return response;
}

/** Relative, so that no header of a request decides where it leads. */
const redirect = (path: string): Response =>
  new Response(null, { status: 302, headers: { Location: path, "Cache-Control": DOCUMENT_CACHE_CONTROL } });

/** @returns null for a file that does not exist */
async function readAsset(assets: Fetcher, path: string): Promise<string | null> {
  const response = await assets.fetch(`https://assets.invalid${path}`);
  if (response.status === 200) return response.text();
  await response.body?.cancel();
  if (response.status === 404 || response.status === 307) return null;
  throw new Error(`the assets responded with ${response.status} to ${path}`);
}
