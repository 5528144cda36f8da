/** What an account has subscribed to. */
export const PLANS = ["free", "pro", "max"] as const;

export type Plan = (typeof PLANS)[number];

/** Whether an account may be used: a lapsed one only for what needs no subscription, a deleted or locked one for nothing. */
export const ACCOUNT_STATES = ["active", "lapsed", "deleted", "locked"] as const;

export type AccountState = (typeof ACCOUNT_STATES)[number];

/** What a key may be used for. */
export const SCOPES = ["read", "webhooks", "export", "usage"] as const;

export type Scope = (typeof SCOPES)[number];
