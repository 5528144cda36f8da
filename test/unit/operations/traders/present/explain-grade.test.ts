import { expect, test } from "vitest";
import { explainGrade } from "../../../../../src/operations/traders/present/explain-grade.ts";
import { METHOD_VERSION } from "../../../../../src/scoring/skill/parameters.ts";

const basis = {
  ...{ method: METHOD_VERSION, input_hash: "ab12", bets: 13, clusters: 12, raw_points: 24.52 },
  ...{ expected_points: 0.23, deviation_points: 2.03, own_share: 0.0285, recent_forecast_score: null },
};

test("a grade of the current method is explained with what it leaves out", () => {
  const text = explainGrade(basis);
  expect(text).toContain("Sales, combos and purchases known to be a maker's are left out");
  expect(text).toContain("a purchase of unknown role counts");
});

test("a grade that recent evidence decides is explained with it", () => {
  expect(explainGrade(basis)).not.toContain("days alone");
  expect(explainGrade({ ...basis, recent_forecast_score: 64.5 })).toContain(
    "By the evidence of the last 90 days alone its edge is above zero with a probability of 64.5 %.",
  );
});

test("a grade of an earlier method is explained without what only the current one leaves out", () => {
  expect(explainGrade({ ...basis, method: "skill-2" })).not.toContain("netted");
});
