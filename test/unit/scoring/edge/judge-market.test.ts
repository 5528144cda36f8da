import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measurePile } from "../../../../src/scoring/edge/holder-pile.ts";
import {
  judgeMarket,
  type BoardGame,
  type BoardMarket,
  type EdgeSnapshotKind,
  type ScannedHolders,
} from "../../../../src/scoring/edge/judge-market.ts";
import { countTerminals, isPartial } from "../../../../src/scoring/edge/sport-funnel.ts";
import { TERMINAL_REASONS } from "../../../../src/scoring/edge/terminal-reasons.ts";
import { plainVerdict, type PlainMarket } from "../../../support/oracles/edge-board.ts";
import { sized } from "../../../support/sized.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const ago = (seconds: number) => NOW - seconds * 1_000;

const isRanked = (grade: string | null): grade is "S" | "A" | "B" => grade === "S" || grade === "A" || grade === "B";

/** The same facts in the form of src/scoring. */
function judge(kind: EdgeSnapshotKind, plain: PlainMarket) {
  const game: BoardGame = {
    kickoffMs: NOW + plain.kickoffInSeconds * 1_000,
    isLive: plain.live,
    isOff: plain.off,
    readAtMs: ago(plain.sourceAgeSeconds),
    frameAtMs: plain.frameAgeSeconds === null ? null : ago(plain.frameAgeSeconds),
  };
  const { stored } = plain;
  const priceOf = (price: number | null) => (price === null ? null : BigInt(Math.round(price * 1e6)));
  const market: BoardMarket | null =
    stored === null
      ? null
      : {
          isResolved: stored.resolved,
          isClosed: stored.closed,
          isBinary: stored.binary,
          hasTokens: stored.tokens,
          isPresentable: stored.presentable,
          prices: [priceOf(stored.yesPrice), priceOf(stored.noPrice)],
          scan: {
            readAtMs: stored.scanAgeSeconds === null ? null : ago(stored.scanAgeSeconds),
            hasFailed: stored.scanFailed,
            isScheduled: stored.scanned,
          },
        };
  const holders: ScannedHolders = {
    indexed: plain.holders.length,
    graded: plain.holders.flatMap(({ grade, yes, no }, traderId) =>
      isRanked(grade)
        ? [{ traderId, grade, sharesMicro: [BigInt(yes) * 1_000_000n, BigInt(no) * 1_000_000n] as const }]
        : [],
    ),
  };
  return judgeMarket(kind, game, market, holders, NOW);
}

/** A live or upcoming market with one holder of grade S, 10,000 shares at 0.5. */
const MARKET: PlainMarket = {
  stored: {
    ...{ resolved: false, closed: false, binary: true, tokens: true, presentable: true, yesPrice: 0.5, noPrice: 0.5 },
    ...{ scanAgeSeconds: 60, scanFailed: false, scanned: true },
  },
  ...{ live: false, off: false, kickoffInSeconds: 7_200, sourceAgeSeconds: 60, frameAgeSeconds: null },
  holders: [{ grade: "S", yes: 10_000, no: 0 }],
};
const LIVE = { ...MARKET, live: true, kickoffInSeconds: -600, frameAgeSeconds: 30 };
const withStored = (facts: Partial<NonNullable<PlainMarket["stored"]>>, base = MARKET): PlainMarket => ({
  ...base,
  stored: base.stored === null ? null : { ...base.stored, ...facts },
});
/** Graded dollars on both sides at 0.5. */
const holding = (yesUsd: number, noUsd: number): PlainMarket => ({
  ...MARKET,
  holders: [
    { grade: "A", yes: yesUsd * 2, no: 0 },
    { grade: "B", yes: 0, no: noUsd * 2 },
  ],
});

describe("the terminal reason of a market", () => {
  test.for<[string, EdgeSnapshotKind, PlainMarket, string]>([
    ["a one-sided pile of 1,000 dollars", "pre_game", holding(1_000, 0), "primary_slate_candidate"],
    ["a one-sided pile below 1,000 dollars", "pre_game", holding(999, 0), "wider_holder_emitted"],
    ["85 % on one side", "pre_game", holding(8_500, 1_500), "primary_slate_candidate"],
    ["just below 85 %", "pre_game", holding(8_499, 1_501), "wider_holder_emitted"],
    ["60 % on one side", "pre_game", holding(600, 400), "wider_holder_emitted"],
    ["just below 60 %", "pre_game", holding(599, 401), "split_holder_pile"],
    ["equal dollars on both sides", "pre_game", holding(500, 500), "split_holder_pile"],
    [
      "a holder of equal shares of both",
      "pre_game",
      { ...MARKET, holders: [{ grade: "S", yes: 5, no: 5 }] },
      "split_holder_pile",
    ],
    ["a game without a stored market", "pre_game", { ...MARKET, stored: null }, "missing_stored_market"],
    ["a resolved market", "pre_game", withStored({ resolved: true, closed: true }), "resolved"],
    ["a closed market", "in_play", withStored({ closed: true }, LIVE), "provider_closed"],
    ["a postponed game", "pre_game", { ...MARKET, off: true }, "provider_excluded"],
    ["a market of three outcomes", "pre_game", withStored({ binary: false }), "invalid_market"],
    ["a market without a token", "pre_game", withStored({ tokens: false }), "missing_token"],
    ["a game read half an hour ago", "pre_game", { ...MARKET, sourceAgeSeconds: 1_801 }, "board_source_unavailable"],
    ["a kickoff in 48 hours", "pre_game", { ...MARKET, kickoffInSeconds: 172_800 }, "primary_slate_candidate"],
    ["a later kickoff", "pre_game", { ...MARKET, kickoffInSeconds: 172_801 }, "outside_horizon"],
    ["a kickoff now", "pre_game", { ...MARKET, kickoffInSeconds: 0 }, "outside_horizon"],
    ["a game that is live before its kickoff", "pre_game", { ...MARKET, live: true }, "outside_horizon"],
    ["a game that has not begun", "in_play", MARKET, "not_provider_live"],
    ["a live game with a frame of 30 seconds", "in_play", LIVE, "in_play_emitted"],
    ["a live game with an older frame", "in_play", { ...LIVE, frameAgeSeconds: 31 }, "in_play_stale_observed"],
    ["a live game without a frame", "in_play", { ...LIVE, frameAgeSeconds: null }, "in_play_stale_observed"],
    [
      "a live game with an older scan",
      "in_play",
      withStored({ scanAgeSeconds: 181 }, LIVE),
      "in_play_directional_unavailable",
    ],
    [
      "a failed first scan",
      "pre_game",
      withStored({ scanAgeSeconds: null, scanFailed: true }),
      "holder_scan_incomplete",
    ],
    [
      "a market beyond the capacity",
      "pre_game",
      withStored({ scanAgeSeconds: null, scanned: false }),
      "capacity_limited",
    ],
    ["a scan that has not ended", "pre_game", withStored({ scanAgeSeconds: null }), "holder_deadline_unavailable"],
    ["a scan of 15 minutes ago", "pre_game", withStored({ scanAgeSeconds: 900 }), "primary_slate_candidate"],
    ["an older scan", "pre_game", withStored({ scanAgeSeconds: 901 }), "provider_unavailable"],
    ["a scan without traders we grade", "pre_game", { ...MARKET, holders: [] }, "zero_indexed_holder_research"],
    [
      "only holders graded C",
      "pre_game",
      { ...MARKET, holders: [{ grade: "C", yes: 9, no: 0 }] },
      "no_current_graded_holder",
    ],
    ["no price of the side", "pre_game", withStored({ yesPrice: null }), "price_unavailable"],
    ["no price of a side without shares", "pre_game", withStored({ noPrice: null }), "primary_slate_candidate"],
    ["a signal without a volume", "pre_game", withStored({ presentable: false }), "primary_slate_candidate"],
    ["an observation without a volume", "in_play", withStored({ presentable: false }, LIVE), "invalid_market"],
  ])("%s: %s", ([, kind, market, reason]) => {
    expect(judge(kind, market).reason).toBe(reason);
    expect(plainVerdict(kind, market).reason).toBe(reason);
  });
});

test.for<[string, PlainMarket, boolean]>([
  ["75 % on one side", holding(750, 250), true],
  ["just below 75 %", holding(749, 251), false],
  ["85 % of too few dollars", holding(850, 150), false],
  ["a scan that failed since", withStored({ scanFailed: true }, holding(800, 200)), false],
  ["a kickoff in an hour", { ...holding(800, 200), kickoffInSeconds: 3_600 }, true],
  ["an earlier kickoff", { ...holding(800, 200), kickoffInSeconds: 3_599 }, false],
])("a wider holder with %s is an emerging pile: %s", ([, market, isEmerging]) => {
  expect(judge("pre_game", market)).toMatchObject({ reason: "wider_holder_emitted", isEmerging });
});

test("a scan of more than three minutes has no one-way figures", () => {
  expect(judge("pre_game", withStored({ scanAgeSeconds: 180 }))).toMatchObject({ isDirectional: true });
  expect(judge("pre_game", withStored({ scanAgeSeconds: 181 }))).toMatchObject({ isDirectional: false });
});

/** Mostly the usual value, so that random markets reach the later reasons. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });
const shares = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_000 }));
// Prices are binary fractions, so the oracle's floating-point dollars are exact.
const price = mostly<number | null>(0.5, null, 0.25, 0.125, 0.75, 0);

const anyMarket: fc.Arbitrary<PlainMarket> = fc.record({
  stored: fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({
        resolved: mostly(false, true),
        closed: mostly(false, true),
        binary: mostly(true, false),
        tokens: mostly(true, false),
        presentable: mostly(true, false),
        yesPrice: price,
        noPrice: price,
        scanAgeSeconds: mostly<number | null>(30, null, 179, 180, 181, 899, 900, 901, 5_000),
        scanFailed: mostly(false, true),
        scanned: mostly(true, false),
      }),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  live: fc.boolean(),
  off: mostly(false, true),
  kickoffInSeconds: fc.constantFrom(-900, 0, 1, 3_599, 3_600, 7_200, 172_800, 172_801, 200_000),
  sourceAgeSeconds: mostly(10, 1_800, 1_801),
  frameAgeSeconds: mostly<number | null>(5, null, 29, 30, 31),
  holders: fc.array(fc.record({ grade: fc.constantFrom("S", "A", "B", "B", "C", null), yes: shares, no: shares }), {
    maxLength: 6,
  }),
});

describe.for(["pre_game", "in_play"] as const)("random boards, %s", (kind) => {
  test("every market ends at exactly one reason, and the reasons of a sport add up to its input", () => {
    fc.assert(
      fc.property(fc.array(anyMarket, { maxLength: 60 }), (board) => {
        const reasons = board.map((market) => judge(kind, market).reason);
        for (const reason of reasons) expect(TERMINAL_REASONS).toContain(reason);
        const { input, terminals } = countTerminals(reasons);
        expect(input).toBe(board.length);
        expect(Object.values(terminals).reduce((sum, count) => sum + count, 0)).toBe(board.length);
        const emitted = board.filter((market) => judge(kind, market).pile !== null).length;
        const {
          primary_slate_candidate: signals = 0,
          wider_holder_emitted: wider = 0,
          in_play_emitted: live = 0,
        } = terminals;
        expect(signals + wider + live).toBe(emitted);
      }),
      { numRuns: sized({ short: 100, full: 300 }) },
    );
  });

  test("verdicts and piles are those of an independent computation", () => {
    fc.assert(
      fc.property(anyMarket, (market) => {
        const own = judge(kind, market);
        const plain = plainVerdict(kind, market);
        expect(own.reason).toBe(plain.reason);
        expect(own.pile === null).toBe(plain.pile === null);
        if (own.pile === null || plain.pile === null) return;
        const figures = measurePile(own.pile);
        expect(own.isEmerging).toBe(plain.emerging);
        expect(own.pile.outcomeIndex).toBe(plain.pile.side);
        expect(Number(figures.backedMicro) / 1e6).toBe(plain.pile.usd);
        expect(Number(figures.backingMicro) / 1e6).toBeCloseTo(plain.pile.backing, 5);
        expect(figures.pileShare).toBeCloseTo(plain.pile.share, 12);
        expect([figures.counts.S, figures.counts.A, figures.counts.B]).toEqual(plain.pile.graded);
        expect(figures.hedgedHolders).toBe(plain.pile.hedged);
        expect(figures.oneWayHolders + figures.hedgedHolders).toBe(own.pile.holders.length);
      }),
      { numRuns: sized({ short: 1_000, full: 3_000 }) },
    );
  });
});

test("a snapshot is partial when data is missing, but not when markets are beyond the capacity", () => {
  expect(isPartial(["capacity_limited", "outside_horizon", "split_holder_pile", "resolved"])).toBe(false);
  expect(isPartial(["capacity_limited", "holder_scan_incomplete"])).toBe(true);
});
