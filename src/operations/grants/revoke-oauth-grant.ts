import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { hasGrant, listAccessTokens, revokeGrant } from "../../queries/oauth/grants.ts";
import { KEY_OPERATION, requireMember } from "../keys/key-operation.ts";
import { refuseAfterRevocation, refuseBeforeRevocation } from "../keys/refuse-revoked-keys.ts";
import { rowNumberParam } from "../../api/request/row-number-param.ts";
import { RevokedOAuthGrant } from "./schemas.ts";

const GrantSegment = rowNumberParam(
  "Number of the grant. Any other text is 400; a number that is not a grant of this account is 404.",
  31,
);

export const revokeOAuthGrant = defineOperation({
  ...KEY_OPERATION,
  plan: null,
  tag: "OAuth",
  id: "revokeOAuthGrant",
  method: "delete",
  path: "/api/oauth/grants/{id}",
  summary: "Revoke the access of an application.",
  description:
    "The next request with one of its tokens is refused. A repeat returns the time of the first revocation. It needs " +
    "no subscription.",
  params: { id: GrantSegment },
  reasons: ["not_found", "credential_store_unavailable"],
  object: "oauth_grant",
  data: RevokedOAuthGrant,
  async handle({ params: { id } }, context) {
    const { db, now } = context;
    const { accountId } = requireMember(context);
    if (!(await hasGrant(db, accountId, id))) throw new ApiError("not_found");
    const { hashes } = await listAccessTokens(db, id, now);
    await refuseBeforeRevocation(context, accountId, hashes);
    const revoked = await revokeGrant(db, id, "owner", now);
    // A concurrent refresh may have issued a token that is not refused yet.
    await refuseAfterRevocation(
      context,
      accountId,
      revoked.hashes.filter((hash) => !hashes.includes(hash)),
    );
    return { data: { id, revoked_at: revoked.revoked_at } };
  },
});
