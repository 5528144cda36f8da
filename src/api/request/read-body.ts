import type { z } from "zod";
import { ApiError } from "../errors.ts";
import { findJsonFault } from "./json-fault.ts";

export const MAX_BODY_BYTES = 1_048_576;

/** Longer paths contain names invented by the client and are not echoed. */
const MAX_PATH_CHARACTERS = 200;

/**
 * A request's JSON body, not yet checked against a schema. Reads at most MAX_BODY_BYTES and the chunk that
 * exceeds it.
 *
 * @throws ApiError unsupported_media_type, payload_too_large, or invalid_body for anything but safe JSON
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (mediaType(request.headers.get("content-type")) !== "application/json") {
    throw new ApiError("unsupported_media_type", { param: "content-type" });
  }
  const text = await readText(request);
  if (text.trim() === "") throw invalidBody("The body is empty.");
  const value = parseJson(text);
  const fault = findJsonFault(text, value);
  if (fault !== null) throw invalidBody(fault);
  return value;
}

/**
 * Parses a body with the schema of its operation.
 *
 * @throws ApiError invalid_body that names the path of the first problem, such as `traders[0]`, or `body` for
 *   the root
 */
export function parseBody<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const param = presentPath([...(issue?.path ?? []), ...unknown]);
  // The library's message for an unknown field repeats its name, whatever its length.
  const problem = unknown.length > 0 ? "This field is not known" : (issue?.message ?? "Invalid");
  throw new ApiError("invalid_body", { param, message: `${param}: ${problem}.` });
}

/** In lower case, without its parameters. */
const mediaType = (contentType: string | null) => contentType?.split(";")[0]?.trim().toLowerCase();

async function readText(request: Request): Promise<string> {
  // Content-Length allows an early refusal, but only the bytes received are authoritative.
  if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES)
    throw new ApiError("payload_too_large", { param: "body" });
  if (request.body === null) return "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  for (let bytes = 0; ;) {
    const chunk = await reader.read().catch((cause: unknown) => {
      throw invalidBody("The body ended before it was complete.", cause);
    });
    if (chunk.done) return text + decode(decoder);
    bytes += chunk.value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      // Cancelling fails only when the stream has already ended.
      await reader.cancel().catch(() => undefined);
      throw new ApiError("payload_too_large", { param: "body" });
    }
    text += decode(decoder, chunk.value);
  }
}

/** @param bytes undefined at the end of the body, where an incomplete character is an error */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw invalidBody("The body is not UTF-8.", cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message quotes the body, so it is not passed on.
    throw invalidBody("The body is not JSON.", cause);
  }
}

function presentPath(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text === "" || text.length > MAX_PATH_CHARACTERS ? "body" : text.replace(/^\./, "");
}

function invalidBody(message: string, cause?: unknown): ApiError {
  return new ApiError("invalid_body", { param: "body", message, cause });
}
