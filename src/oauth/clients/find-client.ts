import type { Config } from "../../config.ts";
import { networkOf } from "../../lib/network-of.ts";
import { findClient as findStoredClient, storeClient, touchClient } from "../../queries/oauth/clients.ts";
import type { Runtime } from "../../runtime.ts";
import { OAuthError } from "../oauth-error.ts";
import type { OAuthClient } from "../../domain/accounts/oauth.ts";
import { fetchClientDocument, isDocumentId } from "./fetch-client-document.ts";
import { MINUTE_MS } from "../../scoring/utc-calendar.ts";

/** How long a document that was read counts as current. */
const DOCUMENT_MS = 15 * MINUTE_MS;

export interface ClientLookup {
  readonly runtime: Pick<Runtime, "db" | "webhooks" | "requestLimiter"> & { readonly config: Pick<Config, "webhooks"> };
  /** The caller's address, which may have few documents read. */
  readonly ip: string;
  readonly now: Date;
}

/**
 * The client that asks for access. A document is read again when the stored copy is older than 15 minutes, so
 * that a changed redirect URI counts.
 *
 * @throws OAuthError invalid_client
 */
export async function findAskingClient(clientId: string, { runtime, ip, now }: ClientLookup): Promise<OAuthClient> {
  const { db, webhooks, requestLimiter, config } = runtime;
  const isDocument = isDocumentId(clientId, config.webhooks.allowLoopback);
  const stored = clientId.length <= 2_048 ? await findStoredClient(db, clientId) : null;
  if (stored !== null && !isDocument && (await touchClient(db, clientId, now))) return stored;
  if (!isDocument) throw new OAuthError("invalid_client", "This client is not registered.");
  if (
    stored?.fetchedMs != null &&
    now.getTime() - stored.fetchedMs < DOCUMENT_MS &&
    (await touchClient(db, clientId, now))
  )
    return stored;
  const retryAt = await requestLimiter.spend("sign_in", `client documents ${networkOf(ip)}`);
  if (retryAt !== null)
    throw new OAuthError("temporarily_unavailable", "Too many client documents. Retry in a minute.", {
      status: 429,
      headers: { "Retry-After": "60" },
    });
  const client = await fetchClientDocument(clientId, webhooks);
  await storeClient(db, client, true, now);
  return client;
}
