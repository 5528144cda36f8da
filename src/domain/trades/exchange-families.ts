/** The provider's exchange contracts. The database has the number of the entry, so new ones are appended. */
export const EXCHANGE_FAMILIES = ["ctf", "neg_risk_ctf", "ctf_v2", "neg_risk_ctf_v2", "v3"] as const;

export type ExchangeFamily = (typeof EXCHANGE_FAMILIES)[number];
