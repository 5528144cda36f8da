import type { CredentialKind, Plan, Scope } from "./accounts.ts";

/** The authenticated caller, as it follows from a credential. */
export interface Principal {
  readonly accountId: number;
  readonly credentialKind: CredentialKind;
  /** Of the key, or of the grant to which the token belongs. Keys and grants have different ids. */
  readonly keyId: number;
  readonly plan: Plan;
  /** The plan that decides what a response shows: free while the subscription has lapsed. */
  readonly entitledPlan: Plan;
  readonly scopes: readonly Scope[];
  /** Whether requests beyond the month's included quota are served and billed. */
  readonly payAsYouGo: boolean;
}
