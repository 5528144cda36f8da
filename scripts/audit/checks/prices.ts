import { isCombination } from "../trader-audit-figures.ts";
import { ONE, shownPrice } from "../decimal.ts";
import { isShownAs, priceOf, type MarketFacts, type OutcomeFacts, type Price } from "../price.ts";
import type { Comparison } from "../compare.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";

export interface Sides {
  readonly yes: OutcomeFacts;
  readonly no: OutcomeFacts;
  readonly yesPrice: Price | null;
  readonly noPrice: Price | null;
  /** Whether both prices are known and sum to exactly one dollar. */
  readonly areComplements: boolean;
}

/** The two sides of a binary market; null for any other market. */
export function sidesOf(market: MarketFacts, moment: LedgerSnapshot): Sides | null {
  const indexed = market.outcomes.filter(({ index }) => index !== null);
  const [yes, no] = indexed;
  if (indexed.length !== 2 || yes?.index !== 0 || no?.index !== 1) return null;
  const price = (outcome: OutcomeFacts) => priceOf(market, outcome, moment.newestFill(outcome.id), moment.atMs);
  const [yesPrice, noPrice] = [price(yes), price(no)];
  return {
    yes,
    no,
    yesPrice,
    noPrice,
    areComplements: yesPrice !== null && noPrice !== null && yesPrice.value + noPrice.value === ONE,
  };
}

/**
 * Compares two shown prices with the price rule.
 *
 * @param absent how an unknown price is shown: null, or left out (undefined)
 */
export function comparePrices(
  comparison: Comparison,
  sides: Sides,
  shown: { yes: unknown; no: unknown },
  absent: null | undefined,
): void {
  const of = (name: string, price: Price | null, got: unknown) => {
    const expected = price === null ? absent : shownPrice(price.value);
    comparison.holds(
      name,
      price === null ? got === absent : isShownAs(got, price.value, sides.areComplements),
      expected,
      got,
    );
  };
  of("yes price", sides.yesPrice, shown.yes);
  of("no price", sides.noPrice, shown.no);
  if (sides.areComplements && typeof shown.yes === "number" && typeof shown.no === "number") {
    comparison.holds("sum of prices", Math.round((shown.yes + shown.no) * 10_000) === 10_000, 1, shown.yes + shown.no);
  }
}

/** Markets that appear in market lists: they have a title and are not combinations. */
export const isListed = (market: MarketFacts): boolean =>
  market.title !== null && market.title !== "" && !isCombination(market);

export const allMarketsOf = (moment: LedgerSnapshot): MarketFacts[] =>
  moment.marketIds.flatMap((id) => moment.market(id) ?? []);
