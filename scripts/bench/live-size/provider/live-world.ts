import { lowerBound, NO_ACTIVITY, SortedActivityLog } from "../../../provider/activity-log.ts";
import type { ActivityRecord, Holder, ProviderWorld } from "../../../provider/provider-world.ts";
import { MarketShapes } from "../history/market-shapes.ts";
import type { LiveSize } from "../live-size.ts";
import { LiveCatalog } from "./live-catalog.ts";
import { tradesOf, type LiveTrade } from "./live-trades.ts";
import { executionsBy } from "./trade-schedule.ts";

/** The HTTP feed is behind the blocks and shows new rows in batches, as that of the simulator. */
const FEED_DELAY_SECONDS = 4;
const FEED_BATCH_SECONDS = 4;
const BOARD_ROWS = 50;

/** When the feed shows the rows of a second, epoch milliseconds. */
export const visibleAtMs = (seconds: number): number =>
  (Math.ceil(seconds / FEED_BATCH_SECONDS) * FEED_BATCH_SECONDS + FEED_DELAY_SECONDS) * 1_000;

export interface LiveWorld extends ProviderWorld {
  /** The trades begin at this time, whole seconds. Before that the world has none. */
  begin(seconds: number): void;
}

/**
 * The provider of a generated history whose trades are loaded already: it lists the open markets, answers for each
 * market, and has the live trades. The activity of a trader is its live trades alone.
 *
 * @param onTrade called for each new row
 */
export function createLiveWorld(
  size: LiveSize,
  historyEndMs: number,
  now: () => number,
  onTrade: (trade: LiveTrade, record: ActivityRecord) => void,
): LiveWorld {
  const shapes = new MarketShapes(size.markets, historyEndMs);
  const markets = new LiveCatalog(shapes);
  const activity = new SortedActivityLog();
  const traded = { shapes, open: markets.open, combinations: markets.combinations };
  let beginSeconds: number | null = null;
  let generated = 0;

  function refresh(): void {
    markets.listFiveMinutes(now());
    if (beginSeconds === null) return;
    const upTo = executionsBy(now() - beginSeconds * 1_000, size);
    const batch: ActivityRecord[] = [];
    for (; generated < upTo; generated += 1)
      for (const trade of tradesOf(generated, size, beginSeconds, traded)) {
        const record = recordOf(trade, 2 * generated + (trade.role === "taker" ? 0 : 1), markets);
        batch.push(record);
        onTrade(trade, record);
      }
    if (batch.length > 0) activity.add(batch);
  }

  const feedHorizon = () => Math.floor((now() / 1000 - FEED_DELAY_SECONDS) / FEED_BATCH_SECONDS) * FEED_BATCH_SECONDS;
  const priceOf = (tokenIds: readonly string[], id: string, outcome: number): number => {
    const ofYes = shapes.at(Number(id)).priceMilli / 1_000;
    return tokenIds.length === 2 && outcome === 1 ? 1 - ofYes : ofYes;
  };
  return {
    kind: "simulate",
    activity,
    catalog: markets.catalog,
    begin: (seconds) => void (beginSeconds = seconds),
    describe: () => `generated for a benchmark: ${size.markets} markets; nothing in it is real`,
    expectedTrades: () => null,
    nowMs: now,
    refresh,
    feedHorizon,
    matchHorizon: () => Math.floor(now() / 1_000),
    feedStart: () => 0,
    dustShares: 0,
    findProfile: (address) => markets.profileOf(address),
    loadCondition: (conditionId) => markets.loadCondition(conditionId),
    loadToken: (tokenId) => markets.loadToken(tokenId),
    findQuote(market, outcome) {
      const middle = priceOf(market.tokenIds, market.id, outcome);
      return { bid: thousandths(middle - 0.01), ask: thousandths(middle + 0.01), last: thousandths(middle) };
    },
    findBook(market, outcome) {
      const middle = priceOf(market.tokenIds, market.id, outcome);
      const level = (price: number) => [{ price: price.toFixed(3), size: "500" }];
      return {
        ...{ bids: level(middle - 0.01), asks: level(middle + 0.01), timestampMs: now() },
        ...{ lastTradePrice: thousandths(middle), tickSize: 0.001 },
      };
    },
    listPrices: () => [],
    listBoard: () =>
      Array.from({ length: BOARD_ROWS }, (_, rank) => {
        const value = 1_000_000 - rank * 1_000;
        return { wallet: markets.profileOfTrader(rank * 3), pnl: value, volume: value };
      }),
    listPositions: () => [],
    // Those who have bought since the beginning: enough for a scan of holders to have rows.
    listHolders: (market) => holdersOf(visible(activity.ofCondition(market.conditionId), feedHorizon())),
    listComboEvents: () => [],
    listGameFrames: () => [],
    listTeams: () => [],
    listSports: () => [],
    listTags: () => [],
  };
}

const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

const visible = (list: readonly ActivityRecord[], horizon: number): readonly ActivityRecord[] =>
  list.length === 0 ? NO_ACTIVITY : list.slice(0, lowerBound(list, horizon, Number.POSITIVE_INFINITY));

function holdersOf(rows: readonly ActivityRecord[]): readonly Holder[] {
  const bought = rows.filter(({ side }) => side === "BUY");
  return [...Map.groupBy(bought, ({ wallet, outcomeIndex }) => `${wallet.address} ${outcomeIndex}`).values()].flatMap(
    ([first, ...others]) =>
      first === undefined || first.outcomeIndex === null
        ? []
        : [
            {
              wallet: first.wallet,
              outcomeIndex: first.outcomeIndex,
              amount: others.reduce((sum, { size }) => sum + size, first.size),
            },
          ],
  );
}

function recordOf(trade: LiveTrade, sequence: number, markets: LiveCatalog): ActivityRecord {
  const isCombo = trade.market.kind === "combination";
  const [size, price] = [trade.sharesMicro / 1e6, trade.priceMilli / 1_000];
  return {
    ...{ type: "TRADE", sequence, timestamp: trade.atSeconds, side: trade.side, role: trade.role, size, price },
    wallet: markets.profileOfTrader(trade.trader),
    market: isCombo ? null : markets.marketOf(trade.market.n),
    combo: isCombo ? markets.comboOf(trade.market.n) : null,
    outcomeIndex: trade.outcome,
    tokenId: trade.tokenId,
    usdcSize: Math.round(size * price * 1e6) / 1e6,
    transactionHash: trade.txHash,
    enrichedAt: trade.atSeconds,
  };
}
