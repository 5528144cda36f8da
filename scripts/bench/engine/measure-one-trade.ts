import { inTransaction } from "../../../src/db/client.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/build-leaderboard.ts";
import type { ProviderTrade } from "../../../src/platform/provider.ts";
import { createRandom, type Random } from "../../provider/simulate/random.ts";
import { median } from "../reads/measure-load.ts";
import { addBusyTrader, compareWithStored, SEED, type BusyTrader, type TradeDrawSettings } from "./busy-trader.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { generateTrade, PAGE_ROWS } from "./generated-trades.ts";
import type { LedgerWriter } from "./ledger-writer.ts";
import { ms, percentile, timed } from "./percentiles.ts";
import { recomputeTrader } from "./recompute-trader.ts";
import { gradeAllDue, scoreDueMarkets, settleEverything } from "./settle-jobs.ts";

/** Fill counts of the traders that get one more trade. */
const WALLETS = [1_000, 10_000, 100_000];
const SMALL_WALLETS = [200, 500];
const TURNS = 30;
const SMALL_TURNS = 5;
const FULL_PAGES = 3;

/** The cost of a page in each step, in ms. */
interface Steps {
  readonly page: number;
  readonly bets: number;
  readonly grades: number;
  readonly board: number;
}

/**
 * The cost of new trades up to position, P&L, grade and leaderboard row, beside a recompute of the trader
 * from its fills: one trade alone in its page, for traders of several sizes, and a full page as at 500 trades
 * a second. Aim: a two-hundredth.
 */
export async function measureOneTrade(
  database: EngineDatabase,
  writer: LedgerWriter,
  world: TradeDrawSettings,
  isSmall: boolean,
): Promise<void> {
  const random = createRandom(SEED, "late");
  let wholeMs = 0;
  for (const fills of isSmall ? SMALL_WALLETS : WALLETS) {
    const wallet = await addBusyTrader(database, writer, world, fills);
    await settleEverything(database.pool);
    await database.client.query("analyze");
    wholeMs = await measureWallet(database, writer, world, wallet, random, isSmall ? SMALL_TURNS : TURNS);
    await compareWithStored(database.client, wallet);
    if (fills === 10_000) await measureFullPages(database, writer, world, wholeMs);
  }
  if (isSmall) await measureFullPages(database, writer, world, wholeMs);
}

/**
 * One trade at a time, in a settled market: the expensive case, because other trades move no grade.
 *
 * @returns a recompute from all fills, ms
 */
async function measureWallet(
  database: EngineDatabase,
  writer: LedgerWriter,
  world: TradeDrawSettings,
  wallet: BusyTrader,
  random: Random,
  turns: number,
): Promise<number> {
  const steps: Steps[] = [];
  const whole: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    // Markets whose number is a multiple of three have settled.
    const market = 3 * random.integer(0, Math.floor((world.markets - 1) / 3));
    const trade = generateTrade(random, wallet.fills + turn, wallet.number, market, world.nowSeconds + turn, SEED);
    steps.push(await timeSteps(database, writer, [{ ...trade, side: "BUY" }]));
    whole.push(await timed(() => recomputeTrader(database.client, wallet.traderId)));
  }
  const { page, bets, grades, board } = medians(steps);
  const wholeMs = median(whole);
  const pages = steps.map((step) => step.page);
  console.log(
    `one trade of a trader with ${wallet.fills} fills: page ${ms(page)} (p99 ${ms(percentile(pages, 0.99))}), bets of its market ${ms(bets)}, grade ${ms(grades)}; ` +
      `recompute from its fills ${ms(wholeMs)}`,
  );
  console.log(
    `        the recompute costs ${times(wholeMs, page)} times the page, ${times(wholeMs, page + bets + grades)} times page, bets and grade (aim: at ` +
      `least 200); leaderboard, shared by all trades of a minute: ${ms(board)}`,
  );
  return wholeMs;
}

/** Trades of many traders and markets, one full page at a time, in settled and open markets. */
async function measureFullPages(
  database: EngineDatabase,
  writer: LedgerWriter,
  world: TradeDrawSettings,
  wholeMs: number,
): Promise<void> {
  const random = createRandom(SEED, "full pages");
  const steps: Steps[] = [];
  for (let first = 0; first < FULL_PAGES * PAGE_ROWS; first += PAGE_ROWS) {
    const rows = Array.from({ length: PAGE_ROWS }, (_, n) => {
      const [wallet, market] = [random.integer(0, world.wallets - 1), random.integer(0, world.markets - 1)];
      return generateTrade(random, first + n, wallet, market, world.nowSeconds + TURNS + first + n, SEED);
    });
    steps.push(await timeSteps(database, writer, rows.toReversed()));
  }
  const { page, bets, grades, board } = medians(steps);
  const eachMs = (page + bets + grades + board) / PAGE_ROWS;
  console.log(
    `a trade among ${PAGE_ROWS} in a page: ${ms(eachMs)} (page ${ms(page)}, bets ${ms(bets)}, grades ${ms(grades)}, leaderboard ${ms(board)}); the ` +
      `recompute above costs ${times(wholeMs, eachMs)} times that, ${times(wholeMs, page / PAGE_ROWS)} times its part of the page`,
  );
}

async function timeSteps(
  { pool }: EngineDatabase,
  writer: LedgerWriter,
  rows: readonly ProviderTrade[],
): Promise<Steps> {
  return {
    page: await timed(() => writer.writeTrades("all", rows)),
    bets: await timed(() => scoreDueMarkets(pool)),
    grades: await timed(() => gradeAllDue(pool)),
    board: await timed(() => inTransaction(pool, buildLeaderboard)),
  };
}

const medians = (steps: readonly Steps[]): Steps => ({
  page: median(steps.map(({ page }) => page)),
  bets: median(steps.map(({ bets }) => bets)),
  grades: median(steps.map(({ grades }) => grades)),
  board: median(steps.map(({ board }) => board)),
});

const times = (whole: number, part: number): string => (whole / part).toFixed(whole / part < 10 ? 1 : 0);
