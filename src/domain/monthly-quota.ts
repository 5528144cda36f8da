/** Requests of a UTC month that a subscription includes. */
export const INCLUDED_REQUESTS = 250_000;

/** Up to how many requests of a UTC month pay-as-you-go goes, the included ones counted. */
export const CEILING_REQUESTS = 1_000_000;

/** The operations that spend no quota. They are recorded like all others, and left out where a month's requests are summed from records. */
export const QUOTA_FREE_OPERATIONS: readonly string[] = ["getUsage", "getAccountIdentity"];
