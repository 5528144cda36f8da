import { encodePositionId } from "../../../../src/domain/combos/position-id.ts";
import type {
  ComboEventType,
  ProviderCombo,
  ProviderComboEvent,
  ProviderComboLeg,
  ProviderComboPosition,
  ProviderLegMarket,
  ProviderTrade,
} from "../../../../src/platform/provider.ts";
import { aProviderMarket } from "./provider-markets.ts";
import { aTrade, type TradeFacts } from "./provider-trades.ts";

/** A second-protocol condition id: the module, a base hash from the number, and zeros. */
const secondProtocolId = (module: 1 | 3, n: number) =>
  `0x0${module}${n.toString(16).padStart(32, "0")}${"0".repeat(28)}`;

export const comboConditionOf = (combo: number): string => secondProtocolId(3, combo);
export const comboTokenOf = (combo: number, outcome: 0 | 1): string =>
  encodePositionId(comboConditionOf(combo), outcome);
/** The position id of an outcome of the first-protocol market that `aTrade` names by number. */
export const legPositionOf = (market: number, outcome: 0 | 1): string =>
  encodePositionId(secondProtocolId(1, market), outcome);

/** A leg: the number of its market, negative for its NO. */
export const aLeg = (leg: number, facts: Partial<ProviderComboLeg> = {}): ProviderComboLeg => {
  const [market, outcomeIndex] = [Math.abs(leg), leg < 0 ? 1 : 0] as const;
  return {
    positionId: legPositionOf(market, outcomeIndex),
    moduleId: 1,
    outcomeIndex,
    conditionId: secondProtocolId(1, market),
    status: "PENDING",
    resolvedAt: null,
    price: "0.5",
    market: {
      marketId: String(market),
      title: `Market ${market}`,
      slug: `market-${market}`,
      eventSlug: `event-${market}`,
      outcomeLabel: outcomeIndex === 0 ? "Yes" : "No",
      image: null,
      category: null,
      tags: [],
    },
    ...facts,
  };
};

export const aCombo = (combo: number, legs: readonly (number | ProviderComboLeg)[]): ProviderCombo => ({
  conditionId: comboConditionOf(combo),
  legs: legs.map((leg) => (typeof leg === "number" ? aLeg(leg) : leg)),
});

export const aComboPosition = (combo: number, legs: readonly (number | ProviderComboLeg)[]): ProviderComboPosition => ({
  combo: aCombo(combo, legs),
});

/** The market of a leg with its position ids. */
export const aLegMarket = (market: number): ProviderLegMarket => ({
  market: aProviderMarket(market),
  positionIds: [legPositionOf(market, 0), legPositionOf(market, 1)],
});

/** A fill in a combo; `market` is the combo's number. */
export function aComboTrade(facts: Partial<TradeFacts> & { readonly market: number }): ProviderTrade {
  const trade = aTrade(facts);
  const outcome = facts.outcome ?? 0;
  return {
    ...trade,
    market: { ...trade.market, conditionId: comboConditionOf(facts.market), slug: null, eventSlug: null },
    tokenId: comboTokenOf(facts.market, outcome),
    outcomeLabel: null,
  };
}

export interface ComboEventFacts {
  readonly n: number;
  readonly combo: number;
  readonly legs: readonly number[];
  readonly outcome: 0 | 1;
  readonly amountMicro: bigint | null;
  readonly sharesMicro: bigint | null;
  readonly payoutMicro: bigint | null;
  readonly atSeconds: number;
}

export function aComboEvent(
  kind: ComboEventType,
  facts: Partial<ComboEventFacts> & Pick<ComboEventFacts, "combo" | "legs">,
): ProviderComboEvent {
  const { n = 1, outcome = 0, amountMicro = null, sharesMicro = null, payoutMicro = null } = facts;
  const { atSeconds = 1_760_000_000 } = facts;
  const txHash = `0x${(0xc0_0000 + n).toString(16).padStart(64, "0")}`;
  return {
    combo: aCombo(facts.combo, facts.legs),
    providerId: `${txHash}-${n}`,
    kind,
    outcomeIndex: outcome,
    amountMicro,
    payoutMicro,
    sharesMicro,
    txHash,
    blockNumber: 90_000_000 + n,
    logIndex: n,
    happenedAt: new Date(atSeconds * 1000),
  };
}
