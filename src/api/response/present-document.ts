import { matchesEtag } from "../cache/serialized-response.ts";

/** For documents of the build and the redirect to one: they change only with a release. */
export const DOCUMENT_CACHE_CONTROL = "public, max-age=3600";

/**
 * Responds with a document of the build, or with 304 to a client that already has it.
 *
 * @param etag weak, generated together with the document
 * @param load called only when the document is sent
 */
export async function presentDocument(
  request: Request,
  etag: string,
  load: () => Promise<Uint8Array>,
  contentType = "application/json; charset=utf-8",
): Promise<Response> {
  const headers = { "Cache-Control": DOCUMENT_CACHE_CONTROL, ETag: etag };
  if (matchesEtag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(await load(), {
    status: 200,
    headers: { ...headers, "content-type": contentType },
  });
}
