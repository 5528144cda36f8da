import fc from "fast-check";
import { expect, test } from "vitest";
import type { WatchlistMatches } from "../../../src/domain/watchlists/watchlist-matches.ts";
import { passesFilter, type FrameFacets, type FrameFilter } from "../../../src/stream/frame-filter.ts";
import { passesFilters, type TradeFilters } from "../../../src/webhooks/rules/trade-filters.ts";
import { sized } from "../../support/sized.ts";
import { isListed, someLists, someWallet } from "../../support/watchlists/random-lists.ts";

const OWNER = 7;
const STRANGER = 8;
const CONDITION = `0x${"c".repeat(64)}`;

/** What a look-up of one event's wallet returns: by the oracle, for every list that exists. */
const lookUp = (lists: ReadonlyMap<number, readonly string[]>, wallet: string): WatchlistMatches =>
  new Map(
    [...lists.keys()].map((list) => [
      list,
      { accountId: OWNER, wallets: new Set(isListed(lists, list, wallet) ? [wallet.toLowerCase()] : []) },
    ]),
  );

const facetsOf = (wallet: string | null): FrameFacets => ({
  type: "LargeTradeInsertedV2",
  conditionId: CONDITION,
  grade: "B",
  wallet: wallet?.toLowerCase() ?? null,
  sizeMicro: "5000000000",
  owner: null,
});

const OPEN: FrameFilter = { types: null, conditionId: null, minGrade: null, minSizeMicro: null };

test("stream and webhooks filter by a watchlist as a walk over the whole list would, together with other filters", () => {
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(
      someLists,
      someWallet,
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      (lists, wallet, list, isStrict) => {
        const matches = lookUp(lists, wallet);
        const expected = isListed(lists, list, wallet) && !isStrict;
        seen.add(expected);
        const frameFilter: FrameFilter = { ...OPEN, watchlist: list, minGrade: isStrict ? "A" : null };
        const filters: TradeFilters = { watchlist: `wl_${list}`, ...(isStrict ? { min_grade: "A" } : {}) };
        const trade = { condition_id: CONDITION, wallet, grade: "B", size_usd: "5000" };
        expect(passesFilter(facetsOf(wallet), frameFilter, OWNER, matches)).toBe(expected);
        expect(passesFilters(filters, trade, OWNER, matches)).toBe(expected);
        // The list of another account matches nothing, also where that account has asked for it.
        expect(passesFilter(facetsOf(wallet), frameFilter, STRANGER, matches)).toBe(false);
        expect(passesFilters(filters, trade, STRANGER, matches)).toBe(false);
      },
    ),
    { numRuns: sized({ short: 2_000, full: 20_000 }) },
  );
  expect(seen).toEqual(new Set([true, false]));
});

test("stream and webhooks filter by several wallets as a comparison with each of them would", () => {
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(fc.array(someWallet, { minLength: 1, maxLength: 25 }), someWallet, (wallets, wallet) => {
      const expected = isListed(new Map([[1, wallets]]), 1, wallet);
      seen.add(expected);
      const frameFilter = { ...OPEN, wallets: wallets.map((one) => one.toLowerCase()) };
      const trade = { condition_id: CONDITION, wallet, grade: "B", size_usd: "5000" };
      expect(passesFilter(facetsOf(wallet), frameFilter, OWNER, new Map())).toBe(expected);
      expect(passesFilters({ wallets }, trade, OWNER, new Map())).toBe(expected);
    }),
    { numRuns: sized({ short: 2_000, full: 20_000 }) },
  );
  expect(seen).toEqual(new Set([true, false]));
});

test("a frame without a wallet passes neither filter", () => {
  const matches = new Map([[1, { accountId: OWNER, wallets: new Set([`0x${"1".repeat(40)}`]) }]]);
  expect(passesFilter(facetsOf(null), { ...OPEN, watchlist: 1 }, OWNER, matches)).toBe(false);
  expect(passesFilter(facetsOf(null), { ...OPEN, wallets: [`0x${"1".repeat(40)}`] }, OWNER, matches)).toBe(false);
  expect(passesFilter(facetsOf(null), { ...OPEN, wallet: null }, OWNER, matches)).toBe(true);
});
