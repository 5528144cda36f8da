import { expect, test } from "vitest";
import { priceMoneyline, type MoneylineInput } from "../../../../src/domain/games/moneyline-prices.ts";

const outcome = (label: string, price: string | null) => ({ label, price });
const team = (name: string, providerId: string | null = null) => ({ name, abbreviation: null, providerId });

/** The second competitor is the first outcome. */
const GAME: MoneylineInput = {
  outcomes: [outcome("Celtics", "0.62"), outcome("Bucks", "0.38")],
  provenance: "gamma_outcome_prices",
  competitors: [team("Milwaukee Bucks", "15"), team("Boston Celtics", "2")],
  final: null,
};
const price = (facts: Partial<MoneylineInput>) => priceMoneyline({ ...GAME, ...facts });
const prices = (yes: string | null, no: string | null) => ({
  outcomes: [outcome("Celtics", yes), outcome("Bucks", no)],
});

test("a moneyline pairs each competitor with the price of its outcome", () => {
  expect(price({})).toEqual({
    state: "paired",
    sides: [
      { providerId: 15, label: "Bucks", price: 0.38, provenance: "gamma_outcome_prices" },
      { providerId: 2, label: "Celtics", price: 0.62, provenance: "gamma_outcome_prices" },
    ],
    binding: { firstIsYes: false, providerIds: [15, 2], provenance: "containment_labels" },
  });
});

test.each<[string, Partial<MoneylineInput>, string, string]>([
  ["three outcomes", { outcomes: [...GAME.outcomes, outcome("Draw", "0")] }, "invalid", "outcome_cardinality"],
  ["one competitor", { competitors: [team("Milwaukee Bucks")] }, "invalid", "team_cardinality"],
  ["no competitor", { competitors: [] }, "incomplete", "outcome_identity_unavailable"],
  [
    "labels that name no side",
    { outcomes: [outcome("Yes", "0.5"), outcome("No", "0.5")] },
    "incomplete",
    "outcome_identity_unavailable",
  ],
  [
    "two labels of one side",
    { outcomes: [outcome("Bucks", "0.5"), outcome("Milwaukee", "0.5")] },
    "invalid",
    "ambiguous_identity",
  ],
  ["no prices", prices(null, null), "incomplete", "outcome_prices_missing"],
  ["one price", prices("0.6", null), "incomplete", "outcome_price_leg_missing"],
  [
    "one displayed price",
    { ...prices("0.6", null), provenance: "clob_display" },
    "incomplete",
    "display_price_pair_unavailable",
  ],
  ["two zeros", prices("0", "0"), "incomplete", "zero_price_sentinel"],
  ["a price above one", prices("1.2", "-0.2"), "invalid", "out_of_range_price"],
  ["a price that is no number", prices("NaN", "0.4"), "invalid", "non_finite_price"],
  ["prices that do not add up", prices("0.6", "0.5"), "invalid", "non_complementary_prices"],
  [
    "a decided price before a final score",
    { ...prices("1", "0"), final: { isScoreKnown: false, winner: null } },
    "incomplete",
    "final_score_unavailable",
  ],
  [
    "a decided price of the loser",
    { ...prices("1", "0"), final: { isScoreKnown: true, winner: 0 } },
    "invalid",
    "final_identity_mismatch",
  ],
])("a moneyline with %s is %s, %s", (_, facts, state, reason) => {
  expect(price(facts)).toMatchObject({ state, reason });
});

test.each<[string, Partial<MoneylineInput>]>([
  ["a decided price of the winner", { ...prices("1", "0"), final: { isScoreKnown: true, winner: 1 } }],
  ["a decided price after a tie", { ...prices("0", "1"), final: { isScoreKnown: true, winner: null } }],
  ["an open price after the end", { final: { isScoreKnown: false, winner: null } }],
  ["midpoints that miss a dollar by a cent", prices("0.62", "0.39")],
])("a moneyline with %s is paired", (_, facts) => {
  expect(price(facts).state).toBe("paired");
});

test("an incomplete price still says which side is which once the labels are bound", () => {
  expect(price(prices(null, null))).toMatchObject({ binding: { firstIsYes: false, providerIds: [15, 2] } });
});
