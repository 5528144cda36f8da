import type { ProviderActivity, ProviderEvent, ProviderMarket } from "../../../../src/platform/provider.ts";
import { aProviderMarket } from "../provider/provider-markets.ts";
import { anActivity, conditionOf, tokenOf, type ActivityFacts } from "../provider/provider-trades.ts";

const anEvent = (id: number): ProviderEvent => ({
  providerEventId: String(id),
  slug: `neg-risk-${id}`,
  title: `Event ${id}`,
  image: null,
  seriesSlug: null,
  tags: [],
  startAt: null,
  endAt: null,
});

/** The provider's objects of a neg-risk event's markets, all tradable long before any row of these tests. */
export const negRiskMarkets = (
  event: number,
  markets: readonly number[],
  facts: Partial<ProviderMarket> = {},
): ProviderMarket[] =>
  markets.map((market) =>
    aProviderMarket(market, { event: anEvent(event), negRisk: true, startAt: new Date(1_700_000_000_000), ...facts }),
  );

/** The provider's response to a request for the events' questions. */
export const questionsOf = (events: Readonly<Record<number, readonly number[]>>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(events).map(([event, markets]) => [event, markets.map(conditionOf)]));

export interface ConversionFacts extends Pick<Partial<ActivityFacts>, "n" | "wallet" | "atSeconds"> {
  markets: readonly number[];
  sharesMicro: bigint;
  /** Total in micro-dollars, on the first row; by default the exact payment of the conversion. */
  usdMicro?: bigint;
  /** Whether each row names the NO token. */
  tokens?: boolean;
}

/** The rows of one conversion: one per converted question. */
export function aConversion({
  markets,
  sharesMicro,
  usdMicro,
  tokens = false,
  ...facts
}: ConversionFacts): ProviderActivity[] {
  const paidMicro = usdMicro ?? BigInt(markets.length - 1) * sharesMicro;
  return markets.map((market, index): ProviderActivity => {
    const row = anActivity("CONVERSION", { ...facts, market, sharesMicro, usdMicro: index === 0 ? paidMicro : 0n });
    if (row.kind !== "other") throw new Error("a conversion is no trade");
    return tokens ? { kind: "other", activity: { ...row.activity, tokenId: tokenOf(market, 1) } } : row;
  });
}
