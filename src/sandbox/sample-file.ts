import { ApiError } from "../api/errors.ts";
import { dispositionOf } from "../platform/artifacts/file-link.ts";
import { storedGzip } from "./stored-gzip.ts";
import type { Samples } from "./samples.ts";

const FILE_PATH = /^\/files\/([a-z]+)\/\d+$/;

/** The file that the sample of a download leads to. Every job has the same one. */
export function presentSampleFile({ method }: Request, pathname: string, { files }: Samples): Response {
  const folder = FILE_PATH.exec(pathname)?.[1] ?? "";
  const file = Object.hasOwn(files, folder) ? files[folder] : undefined;
  if (file === undefined) throw new ApiError("unknown_endpoint");
  if (method !== "GET" && method !== "HEAD")
    throw new ApiError("method_not_allowed", { headers: { Allow: "GET, HEAD, OPTIONS" } });
  const stored = storedGzip(new TextEncoder().encode(file.content));
  const headers = {
    "content-type": file.content_type,
    "content-disposition": dispositionOf(file.file_name),
    "content-encoding": "gzip",
    "content-length": String(stored.length),
    // A proxy that changed the encoding would break the published hash.
    "cache-control": "private, no-store, no-transform",
  };
  // The bytes are already encoded.
  return new Response(stored, { status: 200, headers, encodeBody: "manual" });
}
