import { beforeEach, expect, test } from "vitest";
import type { Pool } from "@neondatabase/serverless";
import type { Database } from "../../../../src/db/client.ts";
import { providerFigures, traders } from "../../../../src/db/schema.ts";
import { takeDueFigures } from "../../../../src/ingest/provider-figures/due-figures.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { figuresOf } from "../../../support/ingest/measured-wallet.ts";
import { aWallet } from "../../../support/seed/wallets.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);

let db: Database;
let pool: Pool;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  pool = database.openPool();
});

/** A wallet of a tier, its history read to the end, and when it is due if it was measured before. */
async function aFollowed(tier: "hot" | "warm" | "cold", dueAt: Date | null): Promise<number> {
  const { id } = await aWallet(db, { completeAt: NOW });
  await pool.query("update traders set tier = $2 where id = $1", [id, tier]);
  if (dueAt !== null) await db.insert(providerFigures).values({ traderId: id, dueAt });
  return id;
}

const taken = async (at = NOW) =>
  (await takeDueFigures(pool, at)).flatMap((message) => (message.kind === "measure_wallets" ? message.trader_ids : []));

test("a wallet is due ten minutes after its first sync was seen to have ended, not before, and not without one", async () => {
  const wallet = await aFollowed("warm", null);
  await aWallet(db, { followed: true });
  await db.update(traders).set({ tier: "hot" });
  expect(await taken()).toEqual([]);
  expect(await taken(minutes(9))).toEqual([]);
  expect(await taken(minutes(10))).toEqual([wallet]);
  expect(await figuresOf(db)).toMatchObject([{ traderId: wallet, dueAt: minutes(10), measuredAt: null, marketsMeasured: null }]);
});

test("hot wallets come first, then the longest due; those not due and cold ones do not come", async () => {
  const [warm, late, soon] = [
    await aFollowed("warm", minutes(-90)),
    await aFollowed("hot", minutes(-5)),
    await aFollowed("hot", minutes(-60)),
  ];
  await aFollowed("hot", minutes(1));
  await aFollowed("cold", minutes(-900));
  await aFollowed("cold", null);
  const ids = await taken();
  expect(ids.toSorted()).toEqual([warm, late, soon].toSorted());
  for (let n = 0; n < 19; n++) await aFollowed("hot", minutes(-10));
  await pool.query("update provider_figures set enqueued_at = null");
  // Twenty at a turn: the warm one has to wait.
  expect(await taken()).not.toContain(warm);
});

test("what was handed out comes again after ten minutes when nobody has done it", async () => {
  const wallet = await aFollowed("hot", minutes(-1));
  expect(await taken()).toEqual([wallet]);
  expect(await taken(minutes(9))).toEqual([]);
  expect(await taken(minutes(10))).toEqual([wallet]);
});

test("five wallets a message", async () => {
  for (let n = 0; n < 7; n++) await aFollowed("hot", minutes(-1));
  expect((await takeDueFigures(pool, NOW)).map((message) => "trader_ids" in message && message.trader_ids.length)).toEqual([5, 2]);
});
