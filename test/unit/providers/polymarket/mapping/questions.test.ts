import { describe, expect, test } from "vitest";
import { toQuestions } from "../../../../../src/providers/polymarket/mapping/questions.ts";
import { QuestionEvent } from "../../../../../src/providers/polymarket/payloads/event-questions.ts";

const PREFIX = `0x2c3d${"7e".repeat(29)}`;
const conditionOf = (index: number) => `0x${String(index + 1).repeat(64)}`;
const market = (index: number, facts: Record<string, unknown> = {}) => ({
  conditionId: conditionOf(index),
  questionID: `${PREFIX}0${index}`,
  negRisk: true,
  negRiskOther: false,
  ...facts,
});
const EVENT = { id: "30829", negRisk: true, enableNegRisk: true, negRiskMarketID: `${PREFIX}00` };
const read = (facts: Record<string, unknown>) => toQuestions(QuestionEvent.parse({ ...EVENT, ...facts }));

test("questions come by the index that ends their ids, in whatever order the markets stand", () => {
  expect(read({ markets: [market(2), market(0), market(1)] })).toEqual([0, 1, 2].map(conditionOf));
});

describe("the list is unknown", () => {
  const markets = [market(0), market(1), market(2)];
  test.each<[string, Record<string, unknown>]>([
    ["of an event that is no neg-risk event", { markets, negRisk: false }],
    ["of an event that does not say whether it is one", { markets, negRisk: undefined }],
    ["of an event that may be added to", { markets, negRiskAugmented: true }],
    ["of an event without its id", { markets, negRiskMarketID: "" }],
    ["of an event of the second protocol", { markets, version: "v2" }],
    ["with a hole in it", { markets: [market(0), market(2)] }],
    ["without its first question", { markets: [market(1), market(2)] }],
    ["with an index twice", { markets: [market(0), market(1), market(1, { conditionId: conditionOf(5) })] }],
    ["with a condition twice", { markets: [market(0), market(1), market(2, { conditionId: conditionOf(1) })] }],
    ["with a question that has no condition yet", { markets: [market(0), market(1), market(2, { conditionId: "" })] }],
    ["with a question of another event", { markets: [...markets, market(3, { questionID: `0x${"ab".repeat(32)}` })] }],
    ["with a question without id", { markets: [...markets, market(3, { questionID: undefined })] }],
    ["with an Other", { markets: [...markets, market(3, { negRiskOther: true })] }],
    ["of one question", { markets: [market(0)] }],
    ["of none", { markets: [] }],
  ])("%s", (_, facts) => {
    expect(read(facts)).toBeNull();
  });
});
