import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { findWatchlistMatches } from "../../../../src/db/find-watchlist-matches.ts";
import { deleteWatchlist } from "../../../../src/queries/watchlists/delete-watchlist.ts";
import { insertWatchlist } from "../../../../src/queries/watchlists/insert-watchlist.ts";
import { findWatchlist, listWatchlists } from "../../../../src/queries/watchlists/read-watchlists.ts";
import { replaceWatchlist } from "../../../../src/queries/watchlists/replace-watchlist.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { anAccount, anEndpoint } from "../../../support/seed/webhooks.ts";
import { isListed, someLists, someWallet } from "../../../support/watchlists/random-lists.ts";
import { sized } from "../../../support/sized.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const LATER = new Date("2026-11-20T13:00:00Z");
const wallet = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
const wallets = (from: number, count: number) => Array.from({ length: count }, (_, index) => wallet(from + index));

let db: Database;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
});

async function aWatchlist(accountId: number, addresses: readonly string[], name = "list"): Promise<number> {
  const row = await insertWatchlist(db, accountId, { name, wallets: addresses }, 20, NOON);
  if (row === null) throw new Error("the account is full");
  return row.id;
}

test("a look-up finds the same matches as a walk over random lists, and none in another account's lists", async () => {
  await fc.assert(
    fc.asyncProperty(someLists, fc.array(someWallet, { maxLength: 5 }), async (lists, traded) => {
      const [owner, stranger] = [await anAccount(db), await anAccount(db)];
      const idByList = new Map<number, number>();
      for (const [list, addresses] of lists) {
        const distinct = [...new Set(addresses.map((one) => one.toLowerCase()))];
        idByList.set(list, await aWatchlist(owner, distinct));
      }
      const refs = [...idByList.values()].map((id) => ({ accountId: owner, id }));
      const asked = [...new Set(traded.map((one) => one.toLowerCase()))];
      const matches = await findWatchlistMatches(db, [...refs, { accountId: owner, id: 999_999_999 }], asked);
      const expected = [...idByList].map(([list, id]) => [id, asked.filter((one) => isListed(lists, list, one))]);
      const found = [...matches].map(([id, match]) => [id, asked.filter((one) => match.wallets.has(one))]);
      expect(new Map(found as [number, string[]][])).toEqual(new Map(expected as [number, string[]][]));
      expect([...matches.values()].flatMap((match) => [...match.wallets]).every((one) => asked.includes(one))).toBe(
        true,
      );
      const foreign = await findWatchlistMatches(
        db,
        refs.map(({ id }) => ({ accountId: stranger, id })),
        asked,
      );
      expect([...foreign]).toEqual([]);
    }),
    { numRuns: sized({ short: 20, full: 200 }) },
  );
});

test("a replacement writes only what differs, and the same content again changes nothing", async () => {
  const accountId = await anAccount(db);
  const id = await aWatchlist(accountId, wallets(0, 5_000));
  const ref = { accountId, id };
  const places = async () =>
    new Map(
      (
        await db.execute(sql`select wallet, ctid::text as place from watchlist_wallets where watchlist_id = ${id}`)
      ).rows.map((row) => [row["wallet"], row["place"]]),
    );
  const before = await places();
  const same = await replaceWatchlist(db, ref, { name: "list", wallets: wallets(0, 5_000).toReversed() }, LATER);
  expect(same).toMatchObject({ wallet_count: 5_000, updated_at: "2026-11-20T12:00:00.000Z" });
  expect(await places()).toEqual(before);
  const moved = await replaceWatchlist(db, ref, { name: "list", wallets: wallets(2, 5_000) }, LATER);
  expect(moved).toMatchObject({ wallet_count: 5_000, updated_at: "2026-11-20T13:00:00.000Z" });
  const after = await places();
  expect([...after.keys()].toSorted()).toEqual(wallets(2, 5_000));
  expect([...after].filter(([address, place]) => before.get(address) === place)).toHaveLength(4_998);
  expect(await replaceWatchlist(db, ref, { name: "other", wallets: [] }, LATER)).toMatchObject({
    name: "other",
    wallet_count: 0,
  });
  expect(await findWatchlist(db, ref)).toMatchObject({ wallets: [] });
});

test("concurrent replacements leave one of the two lists, never a mixture", async () => {
  const accountId = await anAccount(db);
  const ref = { accountId, id: await aWatchlist(accountId, wallets(0, 100)) };
  for (let round = 0; round < 5; round++) {
    const lists = [wallets(1_000, 300), wallets(1_200, 300)];
    await Promise.all(lists.map((one, n) => replaceWatchlist(db, ref, { name: `n${n}`, wallets: one }, LATER)));
    const stored = await findWatchlist(db, ref);
    expect(stored?.wallets).toEqual(lists[Number(stored?.name.slice(1))]);
    expect(stored?.wallet_count).toBe(300);
  }
});

test("concurrent creations cannot exceed the limit of an account", async () => {
  const accountId = await anAccount(db);
  const created = await Promise.all(
    Array.from({ length: 8 }, () => insertWatchlist(db, accountId, { name: "list", wallets: [wallet(1)] }, 3, NOON)),
  );
  expect(created.filter((row) => row !== null)).toHaveLength(3);
  expect(await listWatchlists(db, accountId)).toHaveLength(3);
});

test("a list is deleted with its addresses, except while an endpoint filters by it", async () => {
  const accountId = await anAccount(db);
  const ref = { accountId, id: await aWatchlist(accountId, wallets(0, 3)) };
  const endpoint = await anEndpoint(db, { accountId, tradeFilters: { watchlist: `wl_${ref.id}` }, status: "disabled" });
  // Another account's endpoint cannot name the list; if it did, it would not count.
  await anEndpoint(db, { tradeFilters: { watchlist: `wl_${ref.id}` } });
  expect(await deleteWatchlist(db, { ...ref, accountId: await anAccount(db) })).toBe("missing");
  expect(await deleteWatchlist(db, ref)).toBe("used");
  expect(await findWatchlist(db, ref)).toMatchObject({ wallets: wallets(0, 3) });
  await db.execute(sql`update webhook_endpoints set deleted_at = now() where id = ${endpoint.id}::bigint`);
  expect(await deleteWatchlist(db, ref)).toBe("deleted");
  expect(await deleteWatchlist(db, ref)).toBe("missing");
  const { rows } = await db.execute(sql`select 1 from watchlist_wallets where watchlist_id = ${ref.id}`);
  expect(rows).toEqual([]);
});
