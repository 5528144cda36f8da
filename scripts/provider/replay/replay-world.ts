import type { BoardRow, MarketEvent, Position, Profile, ProviderWorld } from "../provider-world.ts";
import { buildCatalog } from "./build-catalog.ts";
import { generatedCondition } from "./generated-ids.ts";
import { listSports, listTeams } from "./list-leagues.ts";
import { loadRecording } from "./load/load-recording.ts";
import type { Recording } from "./recording.ts";
import { createReplayClock } from "./replay-clock.ts";
import { buildActivityLog } from "./replay-activity.ts";
import { mergeTrades, type MergedTrade } from "./merge-trades.ts";

/**
 * A world of recorded files.
 *
 * @param dir a directory of recorded files, see docs/replay.md
 * @param realNow epoch milliseconds
 */
export async function createReplayWorld(
  dir: string,
  speed: number | "max",
  realNow: () => number,
): Promise<ProviderWorld> {
  const recording = await loadRecording(dir);
  const trades = mergeTrades(recording.tradeFiles);
  assignUnknownTokens(recording, trades);
  const catalog = buildCatalog(recording, lastTrades(recording, trades));
  const movements = buildActivityLog(recording, trades, catalog);
  const clock = createReplayClock(
    movements.all.map((movement) => movement.timestamp),
    speed,
    realNow,
  );
  for (const points of recording.prices.values()) points.sort((a, b) => a.timestamp - b.timestamp);
  const positions = Map.groupBy(positionsOf(recording, catalog), (position) => position.wallet.address);
  const tagCount = recording.tags.size;
  const [sports, teams] = [listSports(catalog.events), listTeams(catalog.events)];
  return {
    kind: "replay",
    activity: movements,
    catalog,
    describe: () =>
      `recorded: ${trades.length} trades of ${recording.profiles.size} wallets, ${catalog.markets.length} markets, ${tagCount} tags; ` +
      `${recording.unreadableRows} rows did not fit their file's shape; not served: ${summarize(recording.unserved)}`,
    expectedTrades: () => trades.length,
    nowMs: () => clock.nowMs(),
    refresh: () => undefined,
    feedHorizon: () => clock.horizon(),
    matchHorizon: () => clock.horizon(),
    // The provider's feeds reach back two months to three years; a recording is served completely.
    feedStart: () => 0,
    // Dust is served too: every recorded trade counts.
    dustShares: 0,
    findProfile: (address) => recording.profiles.get(address) ?? null,
    loadCondition: () => undefined,
    loadToken: () => undefined,
    findQuote: () => null,
    findBook(market, outcomeIndex) {
      const book = recording.books.get(market.tokenIds[outcomeIndex] ?? "");
      return book === undefined ? null : { ...book, lastTradePrice: null, tickSize: 0.01 };
    },
    listPrices: (tokenId) => recording.prices.get(tokenId) ?? [],
    listBoard(period, category) {
      const shown = recording.boards.filter(
        (board) => board.period === period && board.category === category && board.atMs <= clock.nowMs(),
      );
      const latest = shown.reduce<(typeof shown)[number] | null>(
        (best, board) => (best === null || board.atMs > best.atMs ? board : best),
        null,
      );
      return (latest?.rows ?? []).flatMap((row): BoardRow[] => {
        const wallet = recording.profiles.get(row.wallet);
        return wallet === undefined ? [] : [{ wallet, pnl: row.pnl, volume: row.volume }];
      });
    },
    listPositions: (user) => positions.get(user) ?? [],
    listHolders: () => [],
    // No recording has combo activity.
    listComboEvents: () => [],
    listGameFrames: () => recording.gameFrames,
    listTeams: () => teams,
    listSports: () => sports,
    listTags: () => [...recording.tags.values()],
  };
}

/** The first three names, and the number of further ones. */
function summarize(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const first = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${first} and ${names.length - 3} more files` : first;
}

/** Gives each token without a known market a derived market of its own. */
function assignUnknownTokens(recording: Recording, trades: readonly MergedTrade[]): void {
  for (const { tokenId } of trades) {
    if (recording.drafts.findToken(tokenId) === null)
      recording.drafts.guessToken(generatedCondition(`token ${tokenId}`), tokenId);
  }
}

function lastTrades(recording: Recording, trades: readonly MergedTrade[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { tokenId, timestamp } of trades) {
    const conditionId = recording.drafts.findToken(tokenId)?.conditionId ?? "";
    last.set(conditionId, Math.max(last.get(conditionId) ?? 0, timestamp * 1000));
  }
  return last;
}

function positionsOf(
  recording: Recording,
  catalog: { findMarket(conditionId: string): MarketEvent["markets"][number] | null },
): readonly Position[] {
  return recording.positions.flatMap((row): Position[] => {
    const market = catalog.findMarket(row.conditionId);
    const wallet: Profile | undefined = recording.profiles.get(row.wallet);
    if (market === null || wallet === undefined) return [];
    return [{ ...row, market, wallet, entryFees: 0, firstEntryAt: null }];
  });
}
