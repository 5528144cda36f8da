import type { AccountState, Plan, Scope } from "./accounts.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { TokenResource } from "./oauth.ts";
import type { Principal } from "./principal.ts";

/** The scope and plan that an operation requires of its caller. */
export interface AccessRequirement {
  readonly scope: Scope | null;
  readonly plan: (typeof REQUIRED_PLANS)[number] | null;
  /** Where the credential is presented; by default at the API. */
  readonly resource?: TokenResource | undefined;
}

/** The plans that an operation can require. */
export const REQUIRED_PLANS = ["pro", "max"] as const;

/** A stored credential, and what it is required to open. */
export interface AccessCheck {
  /** The hash under which the credential is stored. */
  readonly hash: string;
  readonly requirement: AccessRequirement;
}

export type AccessDecision =
  | { readonly kind: "granted"; readonly principal: Principal }
  | { readonly kind: "refused"; readonly reason: AccessRefusal };

export const ACCOUNT_REFUSALS = ["account_locked", "forbidden", "subscription_inactive", "max_plan_required"] as const;
export type AccountRefusal = (typeof ACCOUNT_REFUSALS)[number];

export const ACCESS_REFUSALS = [...ACCOUNT_REFUSALS, "invalid_api_key", "insufficient_scope"] as const;
export type AccessRefusal = (typeof ACCESS_REFUSALS)[number];

const RANK: Record<Plan, number> = { free: 0, pro: 1, max: 2 };

/**
 * Whether the holder of a credential may run an operation. The first failed check decides; the order is key,
 * account, operation.
 */
export function decideAccess(record: CredentialRecord, requirement: AccessRequirement, now: Date): AccessDecision {
  const refused = (reason: AccessRefusal): AccessDecision => ({ kind: "refused", reason });
  if (record.kind === "unknown" || record.revoked) return refused("invalid_api_key");
  if (record.expires_ms !== null && record.expires_ms <= now.getTime()) return refused("invalid_api_key");
  // A token for the MCP endpoint alone is no credential of the API (RFC 8707).
  if (record.resource !== "api" && record.resource !== requirement.resource) return refused("invalid_api_key");
  const refusedAccount = decideAccountAccess(record, requirement);
  if (refusedAccount !== null) return refused(refusedAccount);
  if (requirement.scope !== null && !record.scopes.includes(requirement.scope)) return refused("insufficient_scope");
  return {
    kind: "granted",
    principal: {
      accountId: record.account_id,
      credentialKind: record.credential_kind,
      keyId: record.key_id,
      plan: record.plan,
      // A lapsed subscription opens what a free account opens.
      entitledPlan: record.state === "lapsed" ? "free" : record.plan,
      scopes: record.scopes,
      payAsYouGo: record.pay_as_you_go,
    },
  };
}

/** Why an account may not run an operation; null when it may. The first failed check decides. */
export function decideAccountAccess(
  { plan, state }: { readonly plan: Plan; readonly state: AccountState },
  requirement: Pick<AccessRequirement, "plan">,
): AccountRefusal | null {
  if (state === "deleted") return "forbidden";
  if (state === "locked") return "account_locked";
  if (requirement.plan === null) return null;
  if (state === "lapsed" || plan === "free") return "subscription_inactive";
  return RANK[plan] < RANK[requirement.plan] ? "max_plan_required" : null;
}
