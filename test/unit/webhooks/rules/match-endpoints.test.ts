import { expect, test } from "vitest";
import {
  decideSpelling,
  type PublishedEvent,
  type Subscriber,
} from "../../../../src/webhooks/rules/match-endpoints.ts";
import { NO_MATCHES, type WatchlistMatches } from "../../../../src/domain/watchlists/watchlist-matches.ts";
import { passesFilters, TradeFilters } from "../../../../src/webhooks/rules/trade-filters.ts";

const WALLET = "0x00000000000000000000000000000000000000aB";
const CONDITION = `0x${"ab".repeat(32)}`;
const TRADE = { condition_id: CONDITION, wallet: WALLET.toLowerCase(), grade: "B", size_usd: "5000.000001" };

/** List 5 has the trade's wallet, list 6 has another one, list 7 does not exist. */
const MATCHES: WatchlistMatches = new Map([
  [5, { accountId: 7, wallets: new Set([WALLET.toLowerCase()]) }],
  [6, { accountId: 7, wallets: new Set([`0x${"c".repeat(40)}`]) }],
]);

const aSubscriber = (facts: Partial<Subscriber>): Subscriber => ({
  endpointId: "1",
  accountId: 7,
  eventTypes: ["large_trade_inserted_v2"],
  filters: {},
  verifiedAt: "2026-11-20T12:00:00.000Z",
  state: "active",
  plan: "pro",
  ...facts,
});

const anEvent = (facts: Partial<PublishedEvent>): PublishedEvent => ({
  type: "large_trade_inserted_v2",
  data: TRADE,
  createdAt: "2026-11-20T12:00:00.000Z",
  accountId: null,
  ...facts,
});

test.for<[TradeFilters, boolean]>([
  [{}, true],
  [{ condition_id: CONDITION }, true],
  [{ condition_id: CONDITION.toUpperCase().replace("0X", "0x") }, true],
  [{ condition_id: `0x${"ac".repeat(32)}` }, false],
  [{ condition_id: "none" }, false],
  [{ condition_id: "mkt_7" }, false],
  [{ wallet: WALLET }, true],
  [{ wallet: WALLET.toUpperCase().replace("0X", "0x") }, true],
  [{ wallet: WALLET.replace("aB", "aC") }, false],
  [{ wallets: [`0x${"c".repeat(40)}`, WALLET.toUpperCase().replace("0X", "0x")] }, true],
  [{ wallets: [`0x${"c".repeat(40)}`] }, false],
  // Not accepted by the operations: no wallet is in an empty list.
  [{ wallets: [] }, false],
  [{ watchlist: "wl_5" }, true],
  [{ watchlist: "wl_6" }, false],
  [{ watchlist: "wl_7" }, false],
  [{ watchlist: "5" }, false],
  [{ watchlist: "wl_5", min_grade: "A" }, false],
  [{ min_grade: "B" }, true],
  [{ min_grade: "F" }, true],
  [{ min_grade: "A" }, false],
  [{ min_size_usd: "5000.000001" }, true],
  [{ min_size_usd: "5000" }, true],
  // Compared in cents.
  [{ min_size_usd: "5000.000002" }, true],
  [{ min_size_usd: "5000.004999" }, true],
  [{ min_size_usd: "5000.005" }, false],
  [{ min_size_usd: "9007199254740993" }, false],
  [{ condition_id: CONDITION, wallet: WALLET, min_grade: "B", min_size_usd: "1" }, true],
  [{ condition_id: CONDITION, wallet: WALLET, min_grade: "S", min_size_usd: "1" }, false],
])("a trade passes the filters %j: %s", ([filters, passes]) => {
  expect(passesFilters(filters, TRADE, 7, MATCHES)).toBe(passes);
});

test("trade sizes beyond the precision of a float are compared exactly", () => {
  expect(
    passesFilters(
      { min_size_usd: "9007199254740993" },
      { ...TRADE, size_usd: "9007199254740992.994999" },
      7,
      NO_MATCHES,
    ),
  ).toBe(false);
  expect(
    passesFilters({ min_size_usd: "9007199254740993" }, { ...TRADE, size_usd: "9007199254740993" }, 7, NO_MATCHES),
  ).toBe(true);
});

test("an ungraded trader passes no minimum grade, but passes filters without one", () => {
  expect(passesFilters({ min_grade: "F" }, { ...TRADE, grade: null }, 7, NO_MATCHES)).toBe(false);
  expect(passesFilters({ min_size_usd: "1" }, { ...TRADE, grade: null }, 7, NO_MATCHES)).toBe(true);
});

test("trade filters with an unknown name are refused", () => {
  expect(TradeFilters.safeParse({ min_siez_usd: "5" }).success).toBe(false);
});

test.for<[string, Partial<Subscriber>, Partial<PublishedEvent>, string | null]>([
  ["an event under its registered name", {}, {}, "large_trade_inserted_v2"],
  ["no event that it did not register", { eventTypes: ["trader_synced"] }, {}, null],
  ["an event under the new name", { eventTypes: ["trader_synced"] }, { type: "trader_synced" }, "trader_synced"],
  [
    "an event under the old name",
    { eventTypes: ["whale_trader_synced"] },
    { type: "trader_synced" },
    "whale_trader_synced",
  ],
  [
    "an event under the first of two registered names",
    { eventTypes: ["insider_radar_flag_raised", "suspicious_trade_flagged"] },
    { type: "suspicious_trade_flagged" },
    "insider_radar_flag_raised",
  ],
  [
    "an event recorded after its verification",
    {},
    { createdAt: "2026-11-20T12:00:00.001Z" },
    "large_trade_inserted_v2",
  ],
  ["no event recorded before its verification", {}, { createdAt: "2026-11-20T11:59:59.999Z" }, null],
  ["a trade that passes its filters", { filters: { min_grade: "B" } }, {}, "large_trade_inserted_v2"],
  ["no trade that fails its filters", { filters: { min_grade: "A" } }, {}, null],
  [
    "other events regardless of its trade filters",
    { filters: { min_grade: "A" }, eventTypes: ["wallet_grade_changed"] },
    { type: "wallet_grade_changed", data: {} },
    "wallet_grade_changed",
  ],
  [
    "Pro events on max",
    { plan: "max", eventTypes: ["wallet_grade_changed"] },
    { type: "wallet_grade_changed" },
    "wallet_grade_changed",
  ],
  [
    "no Pro event on free",
    { plan: "free", eventTypes: ["wallet_grade_changed"] },
    { type: "wallet_grade_changed" },
    null,
  ],
  [
    "no Pro event once its subscription has lapsed",
    { state: "lapsed", eventTypes: ["wallet_grade_changed"] },
    { type: "wallet_grade_changed" },
    null,
  ],
  [
    "public events even when its subscription has lapsed",
    { state: "lapsed", plan: "free" },
    {},
    "large_trade_inserted_v2",
  ],
  ["no event when its account is locked", { state: "locked" }, {}, null],
  ["no event when its account is deleted", { state: "deleted" }, {}, null],
  [
    "the event of its own export",
    { eventTypes: ["export_job_ready"] },
    { type: "export_job_ready", accountId: 7 },
    "export_job_ready",
  ],
  [
    "no event of another account's export",
    { eventTypes: ["export_job_ready"] },
    { type: "export_job_ready", accountId: 8 },
    null,
  ],
  [
    "no export event without an account",
    { eventTypes: ["export_job_ready"] },
    { type: "export_job_ready", accountId: null },
    null,
  ],
  ["no event of another account of any type", {}, { accountId: 8 }, null],
])("an endpoint gets %s", ([, subscriber, event, spelling]) => {
  expect(decideSpelling(aSubscriber(subscriber), anEvent(event), NO_MATCHES)).toBe(spelling);
});
