import type { Principal } from "../context.ts";
import type { Plan, Scope } from "../domain/accounts.ts";
import type { CredentialRecord } from "./credential-record.ts";

/** What an operation asks of a caller. */
export interface Requirement {
  readonly scope: Scope | null;
  readonly plan: "pro" | "max" | null;
}

export type Access = { readonly kind: "granted"; readonly principal: Principal } | { readonly kind: "refused"; readonly reason: Refusal };

export type Refusal =
  | "invalid_api_key"
  | "account_locked"
  | "forbidden"
  | "subscription_inactive"
  | "max_plan_required"
  | "insufficient_scope";

const RANK: Record<Plan, number> = { free: 0, pro: 1, max: 2 };

/** Whether the holder of a credential may run an operation. The first thing wrong decides, from the key to the account to the operation. */
export function decideAccess(record: CredentialRecord, requirement: Requirement, now: Date): Access {
  const refused = (reason: Refusal): Access => ({ kind: "refused", reason });
  if (record.kind === "unknown" || record.revoked) return refused("invalid_api_key");
  if (record.expires_ms !== null && record.expires_ms <= now.getTime()) return refused("invalid_api_key");
  if (record.state === "deleted") return refused("forbidden");
  if (record.state === "locked") return refused("account_locked");
  if (requirement.plan !== null) {
    if (record.state === "lapsed" || record.plan === "free") return refused("subscription_inactive");
    if (RANK[record.plan] < RANK[requirement.plan]) return refused("max_plan_required");
  }
  if (requirement.scope !== null && !record.scopes.includes(requirement.scope)) return refused("insufficient_scope");
  return {
    kind: "granted",
    principal: {
      accountId: record.account_id,
      keyId: record.key_id,
      plan: record.plan,
      scopes: record.scopes,
      payAsYouGo: record.pay_as_you_go,
    },
  };
}
