/** Requests per UTC month that a subscription includes. */
export const INCLUDED_REQUESTS = 250_000;

/** The maximum requests per UTC month with pay-as-you-go, including the included ones. */
export const CEILING_REQUESTS = 1_000_000;

/**
 * Operations that do not use quota. They are recorded like all others, and excluded when a month's requests
 * are summed from the records.
 */
export const QUOTA_FREE_OPERATIONS: readonly string[] = ["getUsage", "getAccountIdentity"];
