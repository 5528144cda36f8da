import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import type { Principal } from "../../context.ts";
import { SCOPES } from "../../domain/accounts.ts";
import { getAccountStanding, type AccountStanding } from "../../queries/account.ts";
import { AccountIdentity } from "./schemas.ts";

export const getAccountIdentity = defineOperation({
  kind: "single",
  id: "getAccountIdentity",
  method: "get",
  path: "/api/v1/me",
  tag: "Account",
  summary: "Say whose credential this is, and what it may do.",
  description: "Costs nothing, and answers without a subscription. Up to 100 reads a minute of this and the usage.",
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
    if (principal === null) throw new Error("an identity belongs to a caller");
    return { data: presentIdentity(principal, await getAccountStanding(db, principal.accountId)) };
  },
});

function presentIdentity({ accountId, keyId, scopes }: Principal, { plan, state }: AccountStanding): z.input<typeof AccountIdentity> {
  const paid = plan !== "free" && state === "active";
  return {
    user_id: accountId,
    credential_id: keyId,
    credential_kind: "api_key",
    // Any other credential was refused before.
    credential_status: "active",
    entitlement: { paid_data_access: paid ? "active" : "lapsed", recovery_action: paid ? null : "renew_subscription" },
    scopes: SCOPES.every((scope) => scopes.includes(scope)) ? null : [...scopes],
  };
}
