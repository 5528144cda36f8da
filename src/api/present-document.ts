import { matchesEtag } from "./answer.ts";

/** Of the OpenAPI document and of the redirect to it: both change with a release only. */
export const DOCUMENT_CACHE_CONTROL = "public, max-age=3600";

/**
 * A document that is a part of the build, or 304 for a client that has it already.
 *
 * @param etag weak, made with the document
 * @param load called only when the document is sent
 */
export async function presentDocument(request: Request, etag: string, load: () => Promise<Uint8Array>): Promise<Response> {
  const headers = { "Cache-Control": DOCUMENT_CACHE_CONTROL, ETag: etag };
  if (matchesEtag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(await load(), { status: 200, headers: { ...headers, "content-type": "application/json; charset=utf-8" } });
}
