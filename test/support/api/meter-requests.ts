import type { MeterRequest } from "../../../src/platform/objects/meter.ts";

/**
 * A non-batch request of account 1 with key 11 on the primary budget, on a Pro plan without pay-as-you-go,
 * unless the facts differ.
 */
export function aMeterRequest(facts: Partial<MeterRequest> = {}): MeterRequest {
  const quota = { included: 250_000, ceiling: 1_000_000, payAsYouGo: false };
  return { accountId: 1, keyId: 11, operation: "getTrader", budget: "primary", batchUnits: null, quota, ...facts };
}
