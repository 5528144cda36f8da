import { toBet } from "../to-bet.ts";
import { FILL_COLUMNS, parseFill, toNumber, toPayouts, toSeconds, toText } from "./parse-cells.ts";
import { listTables, type Table } from "./read-tables.ts";
import { BetSorter } from "./sort-bets.ts";
import { MAKER_FLAG, SALE_FLAG, type StreamedData } from "./streamed-data.ts";

/** Markets that keys of two numbers can tell apart. */
const MAX_MARKETS = 4_000_000;

export interface Archive {
  readonly data: StreamedData;
  /** Removes the sorted copy. */
  dispose(): void;
}

/** Whether a directory has tables that `readArchive` reads. */
export const hasTables = async (dir: string): Promise<boolean> => (await listTables(dir)).length > 0;

/**
 * Reads fills with resolutions from the Parquet and CSV files of a directory. What a table is follows from its columns
 * (docs/study-data.md). Results come first, so that bets without a payout need not be sorted.
 */
export async function readArchive(dir: string): Promise<Archive> {
  const tables = await listTables(dir);
  const markets = new Markets();
  for (const table of tables) await markets.read(table);
  const sorter = await BetSorter.create();
  try {
    return await sortFills(dir, tables, markets, sorter);
  } catch (error) {
    sorter.dispose();
    throw error;
  }
}

async function sortFills(dir: string, tables: readonly Table[], markets: Markets, sorter: BetSorter): Promise<Archive> {
  const traders = new Map<string, number>();
  const counts = { fills: 0, resolved: 0, unreadable: 0, withoutOutcome: 0 };
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  const betsOfCluster: number[] = [];
  const lateMarkets = new Set<number>();
  for (const table of tables.filter(isFills)) {
    for await (const row of table.rows(FILL_COLUMNS.filter((column) => table.columns.has(column)))) {
      const fill = parseFill(row);
      if (fill === null) {
        counts.unreadable += 1;
        continue;
      }
      const outcome = fill.outcomeIndex ?? markets.outcomeOf(fill.tokenId);
      if (outcome !== 0 && outcome !== 1) {
        counts.withoutOutcome += 1;
        continue;
      }
      counts.fills += 1;
      firstAt = Math.min(firstAt, fill.at);
      lastAt = Math.max(lastAt, fill.at);
      const trader = numberOf(traders, fill.wallet);
      const market = markets.numberOf(fill.conditionId);
      const payouts = markets.payoutsOf(market);
      if (payouts === null) continue;
      counts.resolved += 1;
      const cluster = markets.clusterOf(market);
      betsOfCluster[cluster] = (betsOfCluster[cluster] ?? 0) + 1;
      if (markets.settledAtOf(market) <= fill.at) lateMarkets.add(market);
      const { price, usd, payout } = toBet({ ...fill, payout: payouts[outcome] });
      const side = fill.side === "SELL" ? 1 - outcome + SALE_FLAG : outcome;
      sorter.add([fill.at, trader, market, price, usd, payout, side + (fill.isMaker ? MAKER_FLAG : 0)]);
    }
  }
  sorter.finish();
  const { clusterCount, clusterOfMarket, settledAt, timeless } = markets.columns();
  const data: StreamedData = {
    ...{ title: `archive ${dir}`, isGenerated: false, traderCount: traders.size, betCount: counts.fills },
    ...{ clusterCount, clusterOfMarket, settledAt, firstAt: counts.fills === 0 ? 0 : firstAt },
    lastAt: counts.fills === 0 ? 0 : lastAt,
    hasLateBets: Uint8Array.from(settledAt, (_, market) => (lateMarkets.has(market) ? 1 : 0)),
    betsOfCluster: Int32Array.from({ length: clusterCount }, (_, cluster) => betsOfCluster[cluster] ?? 0),
    notes: [
      `${counts.fills} fills of ${traders.size} wallets in ${clusterOfMarket.length} markets of ${clusterCount} events; ${counts.resolved} fills are in markets whose payout is known.`,
      ...note(timeless, "markets have a payout without a time: it counts before no trade."),
      ...note(counts.unreadable, "rows of fills have no time, wallet, market, side, price or size, and are left out."),
      ...note(counts.withoutOutcome, "fills have a token whose outcome no table states, and are left out."),
      "The published method alone: other estimators need all bets in memory.",
    ],
    batches: () => sorter.read(),
  };
  return { data, dispose: () => sorter.dispose() };
}

const note = (count: number, text: string): readonly string[] => (count === 0 ? [] : [`${count} ${text}`]);

/** A cell of CSV is a slice that keeps the piece of its file in memory; a name that is kept is copied out of it. */
const copyOf = (name: string): string => Buffer.from(name).toString();

/** The archive's large trades repeat fills: they state the fill. */
const isFills = ({ columns }: Table): boolean =>
  columns.has("wallet") && columns.has("side") && columns.has("condition_id") && !columns.has("fill_id");

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(copyOf(name), numbers.size);
  return numbers.size - 1;
}

interface Result {
  readonly payouts: readonly [number, number] | null;
  readonly at: number;
  /** Later rows of a market replace earlier ones. */
  readonly recordedAt: number;
}

/** Markets by condition: outcomes of tokens, event, result. */
class Markets {
  readonly #numbers = new Map<string, number>();
  readonly #outcomes = new Map<string, number>();
  readonly #events = new Map<string, string>();
  readonly #results = new Map<string, Result>();
  readonly #clusters = new Map<string, number>();
  readonly #clusterOf: number[] = [];
  readonly #resultOf: (Result | null)[] = [];

  /** What a table states of markets; nothing for most tables. */
  async read(table: Table): Promise<void> {
    const has = (...names: string[]) => names.every((name) => table.columns.has(name));
    const hasResult = has("payouts_ppm");
    const hasTokens = has("token_id", "outcome_index");
    const hasEvent = has("event");
    // The outcomes of large tables of fills are in each of their rows.
    if (!has("condition_id") || !(hasResult || ((hasTokens || hasEvent) && !has("wallet")))) return;
    const wanted = ["condition_id", "token_id", "outcome_index", "event", "payouts_ppm", "resolved_at", "recorded_at"];
    for await (const row of table.rows(wanted.filter((column) => has(column)))) {
      const conditionId = toText(row["condition_id"])?.toLowerCase();
      if (conditionId === undefined) continue;
      const event = toText(row["event"]);
      if (event !== null) this.#events.set(copyOf(conditionId), copyOf(event));
      const [token, outcome] = [toText(row["token_id"]), toNumber(row["outcome_index"])];
      if (token !== null && outcome !== null) this.#outcomes.set(copyOf(token), outcome);
      if (!hasResult) continue;
      const recordedAt = toSeconds(row["recorded_at"]) ?? 0;
      if (recordedAt < (this.#results.get(conditionId)?.recordedAt ?? Number.NEGATIVE_INFINITY)) continue;
      const at = toSeconds(row["resolved_at"]) ?? Number.POSITIVE_INFINITY;
      this.#results.set(copyOf(conditionId), { payouts: toPayouts(row["payouts_ppm"]), at, recordedAt });
    }
  }

  outcomeOf(tokenId: string | null): number | null {
    return tokenId === null ? null : (this.#outcomes.get(tokenId) ?? null);
  }

  numberOf(conditionId: string): number {
    const market = numberOf(this.#numbers, conditionId);
    if (market === this.#clusterOf.length) {
      if (market >= MAX_MARKETS) throw new RangeError(`more than ${MAX_MARKETS} markets`);
      this.#clusterOf.push(numberOf(this.#clusters, this.#events.get(conditionId) ?? conditionId));
      this.#resultOf.push(this.#results.get(conditionId) ?? null);
    }
    return market;
  }

  payoutsOf(market: number): readonly [number, number] | null {
    return this.#resultOf[market]?.payouts ?? null;
  }

  clusterOf(market: number): number {
    return this.#clusterOf[market] ?? 0;
  }

  /** Infinity without payouts or without a time. */
  settledAtOf(market: number): number {
    return this.payoutsOf(market) === null ? Number.POSITIVE_INFINITY : (this.#resultOf[market]?.at ?? 0);
  }

  columns() {
    const settledAt = Float64Array.from(this.#resultOf.keys(), (market) => this.settledAtOf(market));
    return {
      clusterCount: this.#clusters.size,
      clusterOfMarket: Int32Array.from(this.#clusterOf),
      settledAt,
      timeless: this.#resultOf.filter((_, market) => this.payoutsOf(market) !== null && settledAt[market] === Infinity)
        .length,
    };
  }
}
