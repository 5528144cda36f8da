import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import type { Principal } from "../../context.ts";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { getAccountStatus, type AccountStatus } from "../../queries/accounts/account.ts";
import { AccountIdentity } from "./schemas.ts";

export const getAccountIdentity = defineOperation({
  kind: "single",
  id: "getAccountIdentity",
  method: "get",
  path: "/api/v1/me",
  tag: "Account",
  summary: "Read the owner and the permissions of the credential.",
  description:
    "Costs nothing and works without a subscription. Up to 100 requests per minute, together with the usage operation.",
  access: "key",
  scope: "read",
  plan: null,
  cost: 0,
  params: {},
  query: {},
  reasons: [],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  object: "account",
  data: AccountIdentity,
  async handle(_input, { principal, db }) {
    if (principal === null) throw new Error("the identity operation requires an authenticated principal");
    return { data: presentIdentity(principal, await getAccountStatus(db, principal.accountId)) };
  },
});

function presentIdentity(
  { accountId, credentialKind, keyId, scopes }: Principal,
  { plan, state }: AccountStatus,
): z.input<typeof AccountIdentity> {
  const paid = plan !== "free" && state === "active";
  return {
    user_id: accountId,
    credential_id: keyId,
    credential_kind: credentialKind,
    // Authentication refuses any other credential before the handler runs.
    credential_status: "active",
    entitlement: { paid_data_access: paid ? "active" : "lapsed", recovery_action: paid ? null : "renew_subscription" },
    scopes: SCOPES.every((scope) => scopes.includes(scope)) ? null : [...scopes],
  };
}
