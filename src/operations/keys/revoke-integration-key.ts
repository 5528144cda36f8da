import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findIntegrationKeys, revokeIntegration } from "../../queries/accounts/integrations.ts";
import { IntegrationSegment, KEY_OPERATION, requireMember } from "./key-operation.ts";
import { refuseAfterRevocation, refuseBeforeRevocation } from "./refuse-revoked-keys.ts";
import { RevokedIntegrationKey } from "./schemas.ts";

export const revokeIntegrationKey = defineOperation({
  ...KEY_OPERATION,
  id: "revokeIntegrationKey",
  method: "delete",
  path: "/api/keys/integrations/{id}",
  summary: "Revoke an integration and all its keys.",
  description: "The next request with one of its keys is refused. A repeat returns the time of the first revocation.",
  params: { id: IntegrationSegment },
  reasons: ["not_found", "credential_store_unavailable"],
  object: "integration_key",
  data: RevokedIntegrationKey,
  async handle({ params: { id } }, context) {
    const { db, now } = context;
    const { accountId } = requireMember(context);
    const hashes = await findIntegrationKeys(db, accountId, id, now);
    if (hashes === null) throw new ApiError("not_found");
    await refuseBeforeRevocation(context, accountId, hashes);
    const { key_hashes, ...data } = await revokeIntegration(db, id, now);
    // A concurrent rotation may have issued a key that is not refused yet.
    await refuseAfterRevocation(
      context,
      accountId,
      key_hashes.filter((hash) => !hashes.includes(hash)),
    );
    return { data };
  },
});
