import { inTransaction } from "../../../src/db/client.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/leaderboard.ts";
import { createRandom } from "../../provider/simulate/random.ts";
import { addressOf } from "../../soak/named-objects.ts";
import { median } from "../measure-load.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { generateTrade, PAGE_ROWS } from "./generated-trades.ts";
import type { LedgerWriter } from "./ledger-writer.ts";
import { ms, percentile, timed } from "./percentiles.ts";
import { recomputeWallet } from "./recompute-wallet.ts";
import { gradeAllDue, scoreDueMarkets, settleEverything } from "./settle-jobs.ts";

const SEED = 4_242;
/** Of the wallet that is measured: no generated history has so many. */
const WALLET = 9_000_000;

/** What the wallet's trades are drawn over, and where its new ones come in time: after all that is stored. */
interface World {
  readonly markets: number;
  readonly nowSeconds: number;
}

/**
 * One new trade of a wallet with a long history: the page that brings it, the bets of its market and the wallet's grade, and the leaderboard; beside
 * the same wallet from its fills. Aim: a hundredth of that. The trade is in a settled market, which is the dear case: others move no grade.
 */
export async function measureOneTrade(database: EngineDatabase, writer: LedgerWriter, world: World, isSmall: boolean): Promise<void> {
  const { pool, client } = database;
  const fills = isSmall ? 500 : 10_000;
  const turns = isSmall ? 5 : 50;
  const traderId = await addBusyWallet(database, writer, world, fills);
  await settleEverything(pool);
  await client.query("analyze");
  const times = { page: [] as number[], bets: [] as number[], grade: [] as number[], board: [] as number[], whole: [] as number[] };
  const random = createRandom(SEED, "late");
  for (let turn = 0; turn < turns; turn++) {
    // Markets whose number is a multiple of three have settled.
    const market = 3 * random.integer(0, Math.floor((world.markets - 1) / 3));
    const trade = generateTrade(random, fills + turn, WALLET, market, world.nowSeconds + turn, SEED);
    times.page.push(await timed(() => writer.trades("all", [{ ...trade, side: "BUY" }])));
    times.bets.push(await timed(() => scoreDueMarkets(pool)));
    times.grade.push(await timed(() => gradeAllDue(pool)));
    times.board.push(await timed(() => inTransaction(pool, buildLeaderboard)));
    times.whole.push(await timed(() => recomputeWallet(client, traderId)));
  }
  await compareWithStored(database, traderId);
  const [page, bets, grade, board, whole] = [times.page, times.bets, times.grade, times.board, times.whole].map(median);
  const [steps, all] = [sum([page, bets, grade]), sum([whole])];
  console.log(
    `one trade of a wallet with ${fills} fills: page ${ms(page ?? 0)} (p99 ${ms(percentile(times.page, 0.99))}), bets of its market ` +
      `${ms(bets ?? 0)}, grade ${ms(grade ?? 0)}; from its fills ${ms(all)}`,
  );
  console.log(
    `        from its fills costs ${(all / (page ?? 0)).toFixed(0)} times the page, ${(all / steps).toFixed(0)} times page, bets and grade (aim: at ` +
      `least 100); the leaderboard, which all trades of a minute share: ${ms(board ?? 0)}`,
  );
}

const sum = (values: readonly (number | undefined)[]): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** @returns its row id */
async function addBusyWallet({ client }: EngineDatabase, writer: LedgerWriter, world: World, fills: number): Promise<string> {
  const random = createRandom(SEED, "busy");
  for (let first = 0; first < fills; first += PAGE_ROWS) {
    const rows = Array.from({ length: Math.min(PAGE_ROWS, fills - first) }, (_, n) =>
      generateTrade(random, first + n, WALLET, random.integer(0, world.markets - 1), world.nowSeconds - fills + first + n, SEED),
    );
    await writer.trades("all", rows.toReversed());
  }
  const { rows } = await client.query<{ id: string }>(
    `with followed as (
       insert into wallet_syncs (trader_id, complete_at) select id, now() from traders
       on conflict (trader_id) do update set complete_at = excluded.complete_at
     )
     select id from traders where address = $1`,
    [addressOf(WALLET)],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("the busy wallet was not stored");
  return id;
}

/** What was kept by differences has to be what its fills give. */
async function compareWithStored({ client }: EngineDatabase, traderId: string): Promise<void> {
  const { folded, grade } = await recomputeWallet(client, traderId);
  const { rows } = await client.query<{ realized: string; settled: string; grade: string | null }>(
    `select t.realized_micro::text as realized, t.settled_micro::text as settled, w.grade
     from trader_totals t join traders w on w.id = t.trader_id where t.trader_id = $1`,
    [traderId],
  );
  const [stored] = rows;
  const totals = folded.figures.trader_totals.get("");
  if (stored?.realized !== totals?.["realized_micro"] || stored?.settled !== totals?.["settled_micro"] || stored?.grade !== grade.grade) {
    throw new Error(`stored ${JSON.stringify(stored)} differs from ${JSON.stringify(totals)} and grade ${grade.grade}`);
  }
}
