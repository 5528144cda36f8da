/** The plans to which an account can subscribe. */
export const PLANS = ["free", "pro", "max"] as const;

export type Plan = (typeof PLANS)[number];

/** A lapsed account may use only what needs no subscription; a deleted or locked account may use nothing. */
export const ACCOUNT_STATES = ["active", "lapsed", "deleted", "locked"] as const;

export type AccountState = (typeof ACCOUNT_STATES)[number];

/** The permissions of an API key. */
export const SCOPES = ["read", "webhooks", "export", "usage"] as const;

export type Scope = (typeof SCOPES)[number];

/** What a request authenticates with: an API key, or a token of a grant that the account gave to an application. */
export const CREDENTIAL_KINDS = ["api_key", "oauth_grant"] as const;

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];
