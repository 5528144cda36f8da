import type { Pool } from "@neondatabase/serverless";
import { beforeAll, expect, test } from "vitest";
import type { IngestMessage } from "../../../../src/messages/ingest-message.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { runUntilIdle } from "../../../support/ingest/ingest-worker.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";
import { aTrade, anActivity, asActivity, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** Ahead of the database's clock, so that finished work is not due again during the test. */
const NOW = Date.now() + 3_600_000;
const LARGE = aTrade({ n: 3, sharesMicro: 20_000_000_000n, price: "0.4", atSeconds: 1_760_000_020 });
const SALE = aTrade({ n: 4, side: "SELL", sharesMicro: 5_000_000_000n, price: "0.9", atSeconds: 1_760_000_030 });
const TWIN = aTrade({ n: 2, wallet: 2, atSeconds: 1_760_000_010 });
const OWN_TWIN = asActivity({ ...aTrade({ n: 7, market: 2, atSeconds: 1_760_000_025 }), feeMicro: 0n });
const FIRST = aTrade({ n: 1, wallet: 3, market: 2, atSeconds: 1_760_000_000 });

/**
 * Two pages each of takers and of a followed trader, equal fills across their boundaries, a split, fees, a
 * rebate, and one resolved market.
 */
const provider = aPagedProvider({
  takers: [pageOf([SALE, LARGE, TWIN]), pageOf([TWIN, FIRST], [{ record: { side: "HOLD" }, reason: "side" }])],
  all: [pageOf([SALE, LARGE, TWIN, TWIN, aTrade({ n: 1, wallet: 4, side: "SELL", market: 2 }), FIRST])],
  activity: {
    [walletOf(1)]: [
      pageOf([
        anActivity("SPLIT", { n: 5, atSeconds: 1_760_000_005 }),
        asActivity({ ...LARGE, feeMicro: 1_500_000n }),
        OWN_TWIN,
      ]),
      pageOf([
        OWN_TWIN,
        asActivity({ ...SALE, feeMicro: 0n }),
        anActivity("MAKER_REBATE", { n: 6, market: null, atSeconds: 1_760_000_040 }),
        anActivity("REWARD", { n: 8, market: null, atSeconds: 1_760_100_000 }),
      ]),
    ],
  },
  markets: [aProviderMarket(1, { closed: true }), aProviderMarket(2)],
  resolutions: [aResolution(1, 1_000_000)],
});

/** A queued message may be lost with its process; its work is enqueued again after a while. */
const letAnHourPass = (pool: Pool) =>
  pool.query(
    `update work_leases set enqueued_at = enqueued_at - interval '1 hour';
     update markets set hydrate_enqueued_at = hydrate_enqueued_at - interval '1 hour'`,
  );

async function finalState(pool: Pool) {
  const { rows: checkpoints } = await pool.query(
    "select feed, state from ingest_checkpoints where feed like 'trades:%' order by feed",
  );
  return { ...(await readStoredState(pool)), checkpoints };
}

/** Runs a process that dies after this many steps. @returns the steps it lived, fewer if it finished */
async function runAndDie(pool: Pool, queue: IngestMessage[], dieAfter: number): Promise<number> {
  const life = new KillableProcess(dieAfter);
  const worker = { pool: life.pool(pool), provider: life.provider(provider), queue, now: () => NOW };
  await runUntilIdle({ ...worker, atQueue: (operation) => life.perform(operation) }).catch((error: unknown) => {
    if (!(error instanceof ProcessKilled)) throw error;
  });
  return life.steps;
}

test("a process killed after any step loses and doubles nothing: the next one ends in the same state", async () => {
  const pool = database.openPool();
  const steps = await runAndDie(pool, [], Infinity);
  const uninterrupted = await finalState(pool);
  expect(uninterrupted.entries).toHaveLength(10);
  for (let dieAfter = 1; dieAfter <= steps; dieAfter++) {
    await emptyIngest(pool);
    const queue: IngestMessage[] = [];
    expect(await runAndDie(pool, queue, dieAfter)).toBe(dieAfter);
    await letAnHourPass(pool);
    await runUntilIdle({ pool, provider, queue, now: () => NOW });
    expect(await finalState(pool), `killed after step ${dieAfter}`).toEqual(uninterrupted);
  }
});
