import type { Config } from "../../config.ts";
import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";
import { dispositionOf, openFileLink } from "../../platform/artifacts/file-link.ts";
import { ApiError } from "../errors.ts";
import { matchesEtag } from "../cache/serialized-response.ts";
import { decideRange } from "./decide-range.ts";

/**
 * Serves a file behind one of our signed links. The link is the only credential: the request needs no other one
 * and its headers are not asked for one.
 *
 * @throws ApiError forbidden for a link that was not issued or has ended, export_expired when the file is deleted
 */
export async function serveFile(
  request: Request,
  { config, artifacts, now }: { config: Config; artifacts: ArtifactStore; now: Date },
): Promise<Response> {
  const link = await openFileLink(config, new URL(request.url), now);
  if (link.kind !== "valid")
    throw new ApiError("forbidden", {
      message:
        link.kind === "forged"
          ? "This link was not issued, or it was changed."
          : "This link has ended. Request the download again.",
    });
  const file = await artifacts.head(link.key);
  if (file === null) throw new ApiError("export_expired");
  const headers = new Headers({
    "content-type": file.contentType,
    "content-disposition": dispositionOf(link.fileName),
    "accept-ranges": "bytes",
    etag: file.etag,
    // A proxy that changed the encoding would break ranges and the published hash.
    "cache-control": "private, no-store, no-transform",
  });
  if (matchesEtag(request.headers.get("if-none-match"), file.etag)) return new Response(null, { status: 304, headers });
  const range = decideRange(request.headers.get("range"), request.headers.get("if-range"), file.etag, file.size);
  if (range.kind === "unsatisfiable") {
    headers.set("content-range", `bytes */${file.size}`);
    return new Response(null, { status: 416, headers });
  }
  if (file.contentEncoding !== null) headers.set("content-encoding", file.contentEncoding);
  const length = range.kind === "part" ? range.length : file.size;
  headers.set("content-length", String(length));
  if (range.kind === "part")
    headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${file.size}`);
  const status = range.kind === "part" ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const body = await artifacts.read(link.key, range.kind === "part" ? range : undefined);
  if (body === null) throw new ApiError("export_expired");
  // The stored bytes are already encoded.
  return new Response(body, { status, headers, encodeBody: "manual" });
}
