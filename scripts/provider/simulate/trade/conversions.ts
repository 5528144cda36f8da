import type { Market, ActivityRecord } from "../../provider-world.ts";

/**
 * Exchanges NO shares of some questions of a group for YES shares of all others, plus a dollar a share for
 * every question taken but one.
 */
export interface Conversion {
  readonly size: number;
  readonly taken: readonly Market[];
  readonly given: readonly Market[];
}

/**
 * The provider's cost of a YES share: the average cost of the NO shares less the dollars paid, divided by the
 * questions given.
 */
export const givenPrice = (averagePrices: readonly number[], given: number): number =>
  (averagePrices.reduce((sum, price) => sum + price, 0) - (averagePrices.length - 1)) / given;

/**
 * The conversions among activity in block order, by their first row; their other rows belong to the same
 * conversion.
 */
export function listConversions(movements: readonly ActivityRecord[]): ReadonlyMap<ActivityRecord, Conversion> {
  const rows = movements.filter((movement) => movement.type === "CONVERSION");
  return new Map(
    [...Map.groupBy(rows, (row) => `${row.transactionHash} ${row.wallet.address}`).values()].flatMap(
      (ofOne): [ActivityRecord, Conversion][] => {
        const [first] = ofOne;
        if (first === undefined || first.market === null) return [];
        const taken = ofOne.flatMap(({ market }) => market ?? []);
        return [
          [
            first,
            { size: first.size, taken, given: first.market.event.markets.filter((market) => !taken.includes(market)) },
          ],
        ];
      },
    ),
  );
}
