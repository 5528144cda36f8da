import type { Market, Movement } from "../world.ts";

/** NO shares of some questions of a group for YES shares of all others, and a dollar a share for every question taken but one. */
export interface Conversion {
  readonly size: number;
  readonly taken: readonly Market[];
  readonly given: readonly Market[];
}

/** What the provider books a YES share at: what the NO shares cost on average, less the dollars paid, over the questions given. */
export const givenPrice = (averagePrices: readonly number[], given: number): number =>
  (averagePrices.reduce((sum, price) => sum + price, 0) - (averagePrices.length - 1)) / given;

/** The conversions among movements in block order, by their first row; the other rows of one stand for it too. */
export function listConversions(movements: readonly Movement[]): ReadonlyMap<Movement, Conversion> {
  const rows = movements.filter((movement) => movement.type === "CONVERSION");
  return new Map(
    [...Map.groupBy(rows, (row) => `${row.transactionHash} ${row.wallet.address}`).values()].flatMap((ofOne): [Movement, Conversion][] => {
      const [first] = ofOne;
      if (first === undefined || first.market === null) return [];
      const taken = ofOne.flatMap(({ market }) => market ?? []);
      return [[first, { size: first.size, taken, given: first.market.event.markets.filter((market) => !taken.includes(market)) }]];
    }),
  );
}
