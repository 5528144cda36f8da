import type { Config } from "../../config.ts";
import type { TokenResource } from "../../domain/accounts/oauth.ts";
import { OAuthError } from "../oauth-error.ts";
import { parseResource } from "../rules/resources.ts";

const MAX_FORM_BYTES = 16_384;
const MAX_JSON_BYTES = 65_536;

/** The parameters of a request. Each occurs at most once (RFC 6749 section 3.2); an empty one counts as absent. */
export interface Parameters {
  find(name: string): string | null;
  /** @throws OAuthError invalid_request */
  get(name: string): string;
}

/**
 * @throws OAuthError invalid_request for a parameter that occurs twice, invalid_target for two resources: a
 *   token has one
 */
export function readParameters(search: URLSearchParams): Parameters {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (values.has(name)) {
      if (name === "resource") throw new OAuthError("invalid_target", "A token has one resource.");
      throw new OAuthError("invalid_request", "A parameter occurs twice.");
    }
    values.set(name, value);
  }
  const find = (name: string) => values.get(name) || null;
  return {
    find,
    get(name) {
      const value = find(name);
      if (value === null) throw new OAuthError("invalid_request", `${name} is missing.`);
      return value;
    },
  };
}

/** The parameters of a form. @throws OAuthError invalid_request */
export async function readForm(request: Request): Promise<Parameters> {
  requireMediaType(request, "application/x-www-form-urlencoded");
  return readParameters(new URLSearchParams(await readText(request, MAX_FORM_BYTES)));
}

/** @throws OAuthError invalid_request */
export async function readJson(request: Request): Promise<unknown> {
  requireMediaType(request, "application/json");
  try {
    return JSON.parse(await readText(request, MAX_JSON_BYTES));
  } catch (error) {
    throw error instanceof OAuthError ? error : new OAuthError("invalid_request", "The body is not JSON.");
  }
}

/**
 * The resource that a request names; null when it names none.
 *
 * @throws OAuthError invalid_target
 */
export function readResource(parameters: Parameters, config: Pick<Config, "apiBaseUrl">): TokenResource | null {
  const indicator = parameters.find("resource");
  const resource = indicator === null ? null : parseResource(config, indicator);
  if (indicator !== null && resource === null)
    throw new OAuthError("invalid_target", "The resource is not one of this server.");
  return resource;
}

/**
 * Clients are public: a request that proves a secret, or tries to, is one for another server.
 *
 * @throws OAuthError invalid_client
 */
export function refuseClientSecret(request: Request, parameters: Parameters): void {
  const names = ["client_secret", "client_assertion", "client_assertion_type"];
  if (request.headers.has("authorization") || names.some((name) => parameters.find(name) !== null))
    throw new OAuthError("invalid_client", "Clients are public: send client_id only.");
}

function requireMediaType(request: Request, expected: string): void {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== expected) throw new OAuthError("invalid_request", `The body must be ${expected}.`);
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (request.body === null) return "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  try {
    for (let bytes = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        await reader.cancel().catch(() => undefined);
        throw new OAuthError("invalid_request", "The body is too large.", { status: 413 });
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw error instanceof OAuthError ? error : new OAuthError("invalid_request", "The body cannot be read.");
  }
}
