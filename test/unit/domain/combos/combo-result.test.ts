import { describe, expect, inject, test } from "vitest";
import { createRandom, type Random } from "../../../../scripts/provider/simulate/random.ts";
import { comboPayoutsPpm, comboStatus, legOf, type LegFacts } from "../../../../src/domain/combos/combo-result.ts";
import { rational, settleConjunction, type OracleLeg, type Rational } from "../../../support/oracles/combo-payout.ts";

const market = (first: number | null) => ({ payoutsPpm: first === null ? null : [first, 1_000_000 - first] });

describe("the state of a leg", () => {
  test.each<[string, LegFacts, string, number | null]>([
    ["pays 1", { market: market(1_000_000), outcomeIndex: 0, providerStatus: null }, "won", 1_000_000],
    ["pays 0", { market: market(1_000_000), outcomeIndex: 1, providerStatus: null }, "lost", 0],
    ["pays in between", { market: market(250_000), outcomeIndex: 1, providerStatus: null }, "void", 750_000],
    ["is not resolved", { market: market(null), outcomeIndex: 0, providerStatus: null }, "pending", null],
    ["has no market", { market: null, outcomeIndex: 0, providerStatus: null }, "unknown", null],
    ["has no payout of its outcome", { market: market(0), outcomeIndex: 2, providerStatus: null }, "unknown", null],
    [
      "has only the provider's win",
      { market: null, outcomeIndex: 0, providerStatus: "RESOLVED_WIN" },
      "won",
      1_000_000,
    ],
    ["has only the provider's loss", { market: null, outcomeIndex: 0, providerStatus: "RESOLVED_LOSS" }, "lost", 0],
    [
      "has a provider's word of no clear payout",
      { market: null, outcomeIndex: 0, providerStatus: "PARTIAL" },
      "unknown",
      null,
    ],
    ["contradicts the provider", { market: market(0), outcomeIndex: 0, providerStatus: "RESOLVED_WIN" }, "lost", 0],
    [
      "is open here and won there",
      { market: market(null), outcomeIndex: 0, providerStatus: "RESOLVED_WIN" },
      "pending",
      null,
    ],
  ])("a leg that %s", (_, facts, state, payoutPpm) => {
    expect(legOf(facts)).toEqual({ state, payoutPpm });
  });
});

/** Payouts of a real leg: lost, won, refunded by halves, or any split in hundredths. */
function aRandomLeg(random: Random): { facts: LegFacts; oracle: OracleLeg } {
  const outcomeIndex = random.chance(0.5) ? 0 : 1;
  if (random.chance(0.06)) return { facts: { market: null, outcomeIndex, providerStatus: null }, oracle: "unknown" };
  if (random.chance(0.15))
    return { facts: { market: market(null), outcomeIndex, providerStatus: null }, oracle: "open" };
  const cents = random.chance(0.7) ? 100 : random.chance(0.2) ? 0 : random.integer(1, 99);
  const first = (outcomeIndex === 0 ? cents : 100 - cents) * 10_000;
  return {
    facts: { market: market(first), outcomeIndex, providerStatus: random.chance(0.5) ? "RESOLVED_LOSS" : null },
    oracle: rational(BigInt(cents), 100n),
  };
}

/** The millionth below the exact payout, and the rest of the dollar for NO. */
function payoutsOf(exact: Rational): readonly number[] {
  const yes = Number((exact.n * 1_000_000n) / exact.d);
  return [yes, 1_000_000 - yes];
}

const STATUS = {
  lost: { status: "lost", reason: null },
  won: { status: "won", reason: null },
  open: { status: "pending", reason: null },
  partial: { status: "unknown", reason: "partial_payout" },
  unknown: { status: "unknown", reason: "leg_result_unknown" },
} as const;

test("random conjunctions of 1 to 50 legs pay what a rolled-over bet pays, in every order of the legs", () => {
  const random = createRandom(inject("seed"), "conjunctions");
  const seen = new Set<string>();
  for (let run = 0; run < 4_000; run += 1) {
    const drawn = Array.from({ length: random.chance(0.5) ? random.integer(1, 4) : random.integer(1, 50) }, () =>
      aRandomLeg(random),
    );
    const legs = drawn.map(({ facts }) => legOf(facts));
    const expected = settleConjunction(drawn.map(({ oracle }) => oracle));
    seen.add(expected.status);
    const payouts = comboPayoutsPpm(legs);
    expect(comboPayoutsPpm(legs.toReversed())).toEqual(payouts);
    expect(comboStatus(legs.toReversed())).toEqual(comboStatus(legs));
    expect(payouts).toEqual("yes" in expected ? payoutsOf(expected.yes) : null);
    expect(comboStatus(legs)).toEqual(STATUS[expected.status]);
  }
  expect([...seen].toSorted()).toEqual(["lost", "open", "partial", "unknown", "won"]);
});

test("one lost leg decides while others are open or unknown", () => {
  const legs = [
    legOf({ market: null, outcomeIndex: 0, providerStatus: null }),
    legOf({ market: market(0), outcomeIndex: 0, providerStatus: null }),
    legOf({ market: market(null), outcomeIndex: 0, providerStatus: null }),
  ];
  expect(comboStatus(legs)).toEqual({ status: "lost", reason: null });
  expect(comboPayoutsPpm(legs)).toEqual([0, 1_000_000]);
});

test("a combo without known legs has neither a status nor payouts", () => {
  expect(comboStatus([])).toEqual({ status: "unknown", reason: "legs_not_indexed" });
  expect(comboPayoutsPpm([])).toBeNull();
});
