import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findDefaultKey, revokeKey } from "../../queries/accounts/api-keys.ts";
import { KEY_OPERATION, KeySegment, requireMember } from "./key-operation.ts";
import { refuseBeforeRevocation } from "./refuse-revoked-keys.ts";
import { RevokedApiKey } from "./schemas.ts";

export const revokeApiKey = defineOperation({
  ...KEY_OPERATION,
  id: "revokeApiKey",
  method: "delete",
  path: "/api/keys/{id}",
  summary: "Revoke a default key.",
  description: "The next request with the key is refused. A repeat returns the time of the first revocation.",
  params: { id: KeySegment },
  reasons: ["not_found", "credential_store_unavailable"],
  object: "api_key",
  data: RevokedApiKey,
  async handle({ params }, context) {
    const { db, now } = context;
    const { accountId } = requireMember(context);
    const key = await findDefaultKey(db, accountId, params.id);
    if (key === null) throw new ApiError("not_found");
    await refuseBeforeRevocation(context, accountId, [key.key_hash]);
    return { data: await revokeKey(db, key.id, now) };
  },
});
