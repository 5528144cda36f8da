import { expect, test } from "vitest";
import { presentCategorySkill } from "../../../../../src/operations/traders/present/present-category-skill.ts";
import type { CategorySkillRow } from "../../../../../src/queries/traders/select-category-skill.ts";
import { departures } from "../../../../contract/contract.ts";

const COMPUTED_AT = "2026-11-20T06:00:00.000Z";
const WITHHELD = { edge_mean: null, edge_sd: null, edge_se: null, edge_lower_95: null, brier: null };
const counted = {
  events: 12,
  resolved_markets: 15,
  unresolved_outcomes: 2,
  started_at: "2026-10-02T00:00:00.000Z",
  latest_at: "2026-11-19T00:00:00.000Z",
};
const live = {
  ...counted,
  category: "Politics",
  status: "live" as const,
  edge_mean: 0.123456,
  edge_sd: 0.5,
  edge_se: 0.14433,
  edge_lower_95: -0.19429,
  brier: 0.21999,
};
const few = {
  ...counted,
  ...WITHHELD,
  category: "Golf",
  status: "insufficient" as const,
  started_at: "2026-10-01T00:00:00.000Z",
};
const uncounted = { ...counted, ...WITHHELD, category: "Crypto", status: "degraded" as const };

const skillOf = (...categories: CategorySkillRow["categories"]): CategorySkillRow => ({
  computed_at: COMPUTED_AT,
  synced_at: "2026-11-20T06:01:00.000Z",
  categories,
});
const soon = new Date("2026-11-20T07:00:00Z");

/** Presents the skill and checks it against the contract. @throws when the result is empty */
function present(skill: CategorySkillRow, now = soon) {
  const shown = presentCategorySkill(skill, now);
  if (!("category_records" in shown)) throw new Error("nothing was shown");
  for (const record of shown.category_records) expect(departures("CategorySkillV2", record)).toEqual([]);
  expect(departures("CategorySkillModelReadiness", shown.category_skill_model)).toEqual([]);
  return shown;
}

test("category skill has four decimals, truncated toward zero, with its counts and times", () => {
  expect(present(skillOf(live)).category_records).toEqual([
    {
      status: "live",
      model_version: "category-skill-3",
      taxonomy_version: "categories-1",
      platform: "polymarket",
      scope: "observed_goldsky_primary_taker_fill",
      source_coverage: "graded_wallet_fills",
      canonical_category: "Politics",
      as_of: COMPUTED_AT,
      source_last_success_at: "2026-11-20T06:01:00.000Z",
      observation_started_at: "2026-10-02T00:00:00.000Z",
      latest_observation_at: "2026-11-19T00:00:00.000Z",
      independent_event_count: 12,
      resolved_condition_count: 15,
      unresolved_observation_count: 2,
      edge_mean: 0.1234,
      edge_sd: 0.5,
      edge_se: 0.1443,
      edge_lower_95: -0.1942,
      brier_event_avg: 0.2199,
    },
  ]);
});

test("withheld numbers of category skill are null", () => {
  const [record] = present(skillOf(few)).category_records;
  for (const name of ["edge_mean", "edge_sd", "edge_se", "edge_lower_95", "brier_event_avg"] as const)
    expect(record?.[name]).toBeNull();
});

test("live category skill becomes stale six hours after its computation", () => {
  const just = (ms: number) =>
    present(skillOf(live, few), new Date(Date.parse(COMPUTED_AT) + 6 * 3_600_000 + ms)).category_records;
  expect(just(-1).map(({ status }) => status)).toEqual(["live", "insufficient"]);
  expect(just(0).map(({ status }) => status)).toEqual(["stale", "insufficient"]);
});

test.each([
  [[few, live, uncounted], "live"],
  [[few, uncounted], "degraded"],
  [[few], "insufficient"],
])("the model's status is the best status of its records", (categories, status) => {
  expect(present(skillOf(...categories)).category_skill_model).toMatchObject({
    status,
    as_of: COMPUTED_AT,
    observation_started_at: "2026-10-01T00:00:00.000Z",
  });
});

test("a trader without category skill presents no category skill fields", () => {
  expect(presentCategorySkill(null, soon)).toEqual({});
  expect(presentCategorySkill(skillOf(), soon)).toEqual({});
});
