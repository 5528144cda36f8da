import { parsePrice } from "../decimal.ts";
import { Comparison, type Question } from "../compare.ts";
import { isCombination } from "../trader-audit-figures.ts";
import { isoAt, type AuditContext } from "./context.ts";
import { allMarketsOf } from "./prices.ts";

/**
 * Not an API response but an input of prices: the stored last trade of an outcome is never older than its
 * newest fill.
 */
export function lastTradeQuestions({ world, sample }: AuditContext): Question[] {
  return sample(allMarketsOf(world.now()).filter((market) => !isCombination(market))).map(({ id, conditionId }) => ({
    key: conditionId,
    ask: async () => ({
      ...{ fromMs: Date.now(), toMs: Date.now() },
      judge: (moment) =>
        (moment.market(id)?.outcomes ?? []).flatMap((outcome) => {
          const fill = moment.newestFill(outcome.id);
          if (fill === null) return [];
          const comparison = new Comparison(`${conditionId} ${outcome.index}`);
          const { lastTradeMs, lastTradePrice } = outcome;
          const isKept = lastTradeMs !== null && lastTradeMs >= fill.atMs;
          comparison.holds(
            "last_trade_at",
            isKept,
            `not before ${isoAt(fill.atMs)}`,
            lastTradeMs === null ? null : isoAt(lastTradeMs),
          );
          const isSame =
            lastTradeMs !== fill.atMs ||
            lastTradePrice === null ||
            parsePrice(lastTradePrice) === parsePrice(fill.price);
          return [comparison.holds("last_trade_price", isSame, fill.price, lastTradePrice).item()];
        }),
    }),
  }));
}
