import { openPostgresStore } from "../flows/postgres-store.ts";
import { revokeToken } from "../flows/revoke-token.ts";
import type { OAuthExchange } from "../oauth-exchange.ts";
import { OAuthError } from "../oauth-error.ts";
import { readForm, refuseClientSecret } from "./read-parameters.ts";

/** Revokes a token (RFC 7009). The type follows from its prefix, so `token_type_hint` is not needed. */
export async function handleRevoke({ request, runtime, startedAt }: OAuthExchange): Promise<Response> {
  const form = await readForm(request);
  refuseClientSecret(request, form);
  const { config, db, meter } = runtime;
  const context = { config, meter, store: openPostgresStore(db), now: startedAt };
  await revokeToken(form.get("token"), form.find("client_id"), context).catch((error: unknown) => {
    if (!isMeterUnavailable(error)) throw error;
    throw new OAuthError("temporarily_unavailable", "Tokens cannot be revoked now. Nothing was changed.", {
      status: 503,
      headers: { "Retry-After": "5" },
    });
  });
  return new Response(null, { status: 200, headers: { "Cache-Control": "no-store" } });
}

/** By name: this module is a bundle of its own, whose classes are not those of the runtime. */
const isMeterUnavailable = (error: unknown): boolean => error instanceof Error && error.name === "MeterUnavailable";
