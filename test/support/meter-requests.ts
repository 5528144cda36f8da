import type { MeterRequest } from "../../src/ports/meter.ts";

/** A primary request of account 1 with key 11 that is no batch, on a Pro plan without pay-as-you-go, unless said otherwise. */
export function aMeterRequest(facts: Partial<MeterRequest> = {}): MeterRequest {
  const quota = { included: 250_000, ceiling: 1_000_000, payAsYouGo: false };
  return { accountId: 1, keyId: 11, operation: "getTrader", budget: "primary", batchUnits: null, quota, ...facts };
}
