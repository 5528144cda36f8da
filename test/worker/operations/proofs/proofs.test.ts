import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { fromHex, toHex } from "../../../../src/domain/proofs/hex.ts";
import { DayManifest } from "../../../../src/domain/proofs/day-manifest.ts";
import { consistencyProof, hashLeaf, rootOfPath } from "../../../../src/domain/proofs/merkle-tree.ts";
import { isSignedBy } from "../../../../src/domain/proofs/signing.ts";
import { TEST_PUBLIC_KEY } from "../../../support/archive/signing-key.ts";
import { errorOf, openFreshApi, type FreshApi } from "../../../support/api/fresh-api.ts";
import { anArchive } from "../../../support/seed/archive.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPick } from "../../../support/seed/picks/picks.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const DAYS = 7;
const FILLS = 700;

let fresh: FreshApi;
const ids: Record<"fill" | "trade" | "late" | "pick", string> = { fill: "", trade: "", late: "", pick: "" };

beforeAll(async () => {
  fresh = await openFreshApi();
  const { db } = fresh;
  const [trader, market] = [await aSeededTrader(db), await aMarket(db)];
  const fill = await aFill(db, { trader, market });
  await db.execute(sql`
    insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
    select sha256(n::text::bytea), trader_id, outcome_id, market_id, 'sell', n, 0, n, 0.5, traded_at
    from ledger_entries, generate_series(1, ${FILLS}::int - 1) n where id = ${fill.id}`);
  ids.fill = `pe_${fill.id + 600}`;
  ids.trade = `wt_${await aLargeTrade(db, { trader, market })}`;
  ids.pick = `pick_${(await aPick(db, { date: "2026-11-20", publishedAt: new Date() })).id}`;
  await anArchive(db, DAYS);
  ids.late = `wt_${await aLargeTrade(db, { trader, market, recordedAt: new Date(Date.now() + 2 * 86_400_000) })}`;
});

const get = async (path: string) => (await fresh.api.get(`/api/v1/proofs/${path}`)).body;

describe("the heads of the archive", () => {
  test("are listed newest first, each signed and naming the one before it", async () => {
    const { data, has_more } = await get(`heads?limit=${DAYS}`);
    expect(data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(has_more).toBe(false);
    for (const [index, head] of data.entries()) {
      expect(await isSignedBy(TEST_PUBLIC_KEY, head.manifest, head.signature)).toBe(true);
      expect(head.head).toBe(toHex(hashLeaf(head.manifest)));
      expect(DayManifest.parse(JSON.parse(head.manifest)).previous_head).toBe(data[index + 1]?.head ?? null);
    }
  });

  test("are paged without a gap", async () => {
    const first = await get("heads?limit=4");
    const second = await get(`heads?limit=4&cursor=${first.next_cursor}`);
    const sequences = [...first.data, ...second.data].map(({ sequence }) => sequence);
    expect(sequences).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(second.next_cursor).toBeUndefined();
  });

  test("come with the proof that the log between two of them only grew", async () => {
    const { data, consistency } = await get("heads?from_sequence=3&to_sequence=6");
    const log = data.map(({ head }: { head: string }) => fromHex(head)).reverse();
    expect(consistency).toEqual({
      ...{ from_sequence: 3, to_sequence: 6 },
      path: consistencyProof(log.slice(0, 6), 3).map(toHex),
    });
    expect((await get("heads")).consistency).toBeNull();
  });

  test.for([
    ["from_sequence=3", "to_sequence"],
    ["to_sequence=3", "from_sequence"],
    ["from_sequence=4&to_sequence=3", "from_sequence"],
    ["from_sequence=4&to_sequence=7", "to_sequence"],
    ["from_sequence=0&to_sequence=3", "from_sequence"],
  ] as const)("a consistency proof of %s is refused", async ([query, param]) => {
    const answer = await fresh.api.get(`/api/v1/proofs/heads?${query}`);
    expect(errorOf(answer)).toEqual({ status: 400, reason: "invalid_query", param });
  });
});

describe("the proof of a row", () => {
  test.for(["fill", "trade", "pick"] as const)("of a %s is proven by the signed head of its day", async (kind) => {
    const { data } = await get(`rows/${ids[kind]}`);
    expect(data.leaf_hash).toBe(toHex(hashLeaf(data.row)));
    const root = rootOfPath(fromHex(data.leaf_hash), data.leaf_index, data.tree_size, data.path.map(fromHex));
    expect(root === null ? null : toHex(root)).toBe(data.merkle_root);
    const manifest = DayManifest.parse(JSON.parse(data.head.manifest));
    expect(manifest.datasets.find(({ name }) => name === data.dataset)?.merkle_root).toBe(data.merkle_root);
    expect(await isSignedBy(TEST_PUBLIC_KEY, data.head.manifest, data.head.signature)).toBe(true);
    expect(JSON.parse(data.row)).toMatchObject({ dataset: data.dataset, id: ids[kind].replace(/^\w+_/, "") });
  });

  test("in the middle of a day has its own place and the values of the database", async () => {
    const { data } = await get(`rows/${ids.fill}`);
    // The fill of the large trade is recorded after them.
    expect(data).toMatchObject({ dataset: "fills", leaf_index: 600, tree_size: FILLS + 1 });
    expect(JSON.parse(data.row)).toMatchObject({ side: "SELL", shares_micro: "600", usd_micro: "600", price: "0.5" });
  });

  test("of a sealed pick says nothing about its market or side", async () => {
    const { data } = await get(`rows/${ids.pick}`);
    expect(Object.keys(JSON.parse(data.row))).toEqual(
      "commitment_hash dataset id pick_date pick_rank recorded_at".split(" "),
    );
  });

  test("whose day is not archived yet, and one that does not exist, return 404", async () => {
    const late = await fresh.api.get(`/api/v1/proofs/rows/${ids.late}`);
    expect(errorOf(late)).toMatchObject({ status: 404, param: "row_id" });
    expect(late.body.error.message).toContain("is not archived yet");
    for (const id of ["wt_999999", "pe_999999", "pick_999999", `wt_${"9".repeat(30)}`])
      expect(errorOf(await fresh.api.get(`/api/v1/proofs/rows/${id}`))).toMatchObject({ status: 404 });
  });

  test.for(["trd_1", "wt_0", "wt_1x", "1", "__proto___1"])("with the id %s is refused", async (id) => {
    expect(errorOf(await fresh.api.get(`/api/v1/proofs/rows/${id}`))).toMatchObject({ status: 400, param: "row_id" });
  });
});

test("a service without an archived day has no heads", async () => {
  const { api } = await openFreshApi();
  expect((await api.get("/api/v1/proofs/heads")).body).toMatchObject({ data: [], consistency: null });
});
