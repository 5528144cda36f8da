import { encodePositionId } from "../../../../src/domain/combos/position-id.ts";
import type { ProviderCombo, ProviderComboLeg } from "../../../../src/platform/provider.ts";
import { conditionOf, hex, isCombinationNumber, tokenOf } from "../../../soak/named-objects.ts";
import type { GeneratedMarket } from "./generated-markets.ts";

const outcome = (index: number): 0 | 1 => (index === 0 ? 0 : 1);

/** The token of an outcome. That of a combo is the position id of its condition, as the provider has it. */
export const outcomeToken = (market: number, index: number): string =>
  isCombinationNumber(market) ? encodePositionId(conditionOf(market), outcome(index)) : tokenOf(market, index);

/** The position ids of a market's outcomes as legs of combos: those of a binary market of the second protocol. */
export const legPositionsOf = (market: number): readonly [string, string] => {
  const conditionId = `0x01${hex(market + 1, 60).slice(2)}`;
  return [encodePositionId(conditionId, 0), encodePositionId(conditionId, 1)];
};

/** A combo of YES in the market before it and NO in the one before that. Neither is a combo. */
export function comboOf(market: number, marketOf: (n: number) => GeneratedMarket | undefined): ProviderCombo {
  const legs = [marketOf(market - 1), marketOf(market - 2)].flatMap((leg, outcomeIndex) =>
    leg === undefined ? [] : [legOf(leg, outcome(outcomeIndex))],
  );
  return { conditionId: conditionOf(market), legs };
}

const legOf = ({ n, title, category }: GeneratedMarket, outcomeIndex: 0 | 1): ProviderComboLeg => ({
  positionId: legPositionsOf(n)[outcomeIndex],
  moduleId: 1,
  outcomeIndex,
  conditionId: conditionOf(n),
  status: null,
  resolvedAt: null,
  price: null,
  market: {
    marketId: `generated-${n}`,
    title,
    slug: `generated-market-${n}`,
    eventSlug: null,
    outcomeLabel: outcomeIndex === 0 ? "Yes" : "No",
    image: null,
    category,
    tags: [],
  },
});
