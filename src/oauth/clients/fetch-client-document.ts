import { z } from "zod";
import { withTimeout } from "../../lib/timing/with-timeout.ts";
import { withTimeoutSignal } from "../../lib/timing/with-timeout-signal.ts";
import { checkReceiver, type ReceiverPolicy } from "../../platform/http/check-receiver.ts";
import { OAuthError } from "../oauth-error.ts";
import type { OAuthClient } from "../../domain/accounts/oauth.ts";
import { parseClientMetadata } from "./client-metadata.ts";

const TIMEOUT_MS = 5_000;
/** The draft recommends 5 KiB; documents of known clients are below 2 KiB. */
const MAX_BYTES = 16_384;

export interface DocumentPorts {
  readonly policy: ReceiverPolicy;
  readonly fetch: typeof fetch;
}

/**
 * Whether a client id is the URL of a metadata document: https, with a path, without fragment, user name, query
 * and dot segments, and spelled as a parser spells it.
 *
 * @param allowLoopback development only: also http to a loopback host
 */
export function isDocumentId(clientId: string, allowLoopback: boolean): boolean {
  if (clientId.length > 2_048 || !URL.canParse(clientId)) return false;
  const { href, protocol, pathname, hash, search, username, password } = new URL(clientId);
  if (protocol !== "https:" && !(allowLoopback && protocol === "http:")) return false;
  return (
    href === clientId && pathname !== "/" && `${hash}${search}${username}${password}` === "" && !/[#?@]/.test(clientId)
  );
}

/**
 * Reads the metadata document of a client (draft-ietf-oauth-client-id-metadata-document), with the same care as
 * a webhook is posted: public addresses only, no redirect, a bounded time and size.
 *
 * @throws OAuthError invalid_client
 */
export async function fetchClientDocument(clientId: string, { policy, fetch }: DocumentPorts): Promise<OAuthClient> {
  const check = await checkReceiver(clientId, policy);
  if (check.kind === "unknown")
    throw new OAuthError("temporarily_unavailable", "The host of the client id cannot be resolved now.", {
      status: 503,
    });
  if (check.kind === "refused") throw refused("its URL is not allowed");
  const reading = withTimeoutSignal(TIMEOUT_MS, (signal) => read(check.receiver.url, fetch, signal));
  // The second timeout ends the wait for a body that ignores the signal.
  const text = await withTimeout(reading, TIMEOUT_MS + 100, () => new Error("timeout")).catch((error: unknown) => {
    throw error instanceof OAuthError ? error : refused("it could not be read");
  });
  return parseClientDocument(clientId, text);
}

/** @throws OAuthError invalid_client */
export function parseClientDocument(clientId: string, text: string): OAuthClient {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused("it is not JSON");
  }
  const named = z.looseObject({ client_id: z.string() }).safeParse(value);
  if (!named.success || named.data.client_id !== clientId) throw refused("its client_id is not its own URL");
  try {
    return { id: clientId, ...parseClientMetadata(value) };
  } catch (error) {
    throw error instanceof OAuthError ? refused(error.message) : error;
  }
}

async function read(url: string, fetcher: typeof fetch, signal: AbortSignal): Promise<string> {
  const response = await fetcher(url, { headers: { accept: "application/json" }, redirect: "manual", signal });
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? "");
  if (response.status !== 200 || !isJson || response.body === null) {
    await response.body?.cancel().catch(() => undefined);
    throw refused(response.status === 200 ? "it is not JSON" : "its status is not 200");
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw refused("it is larger than 16 KiB");
    }
    text += decoder.decode(value, { stream: true });
  }
}

const refused = (why: string): OAuthError =>
  new OAuthError("invalid_client", `The metadata document of this client is refused: ${why}`.replace(/\.?$/, "."));
