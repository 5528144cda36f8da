/**
 * The claims of the public record: a trade flagged as suspicious, a large purchase of a trader graded S or A, an alert
 * of smart-money flow, a published pick.
 */
export const RECORD_KINDS = ["flag", "grade", "flow_alert", "pick"] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

/** The claims themselves, and the random purchases that are drawn for them. */
export const RECORD_SAMPLES = ["claim", "random"] as const;

/** The period of the totals; every other period is a UTC month such as `2026-11`. */
export const ALL_MONTHS = "all";
