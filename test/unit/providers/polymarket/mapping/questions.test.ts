import { describe, expect, test } from "vitest";
import { toQuestions } from "../../../../../src/providers/polymarket/mapping/markets/questions.ts";
import { QuestionEvent } from "../../../../../src/providers/polymarket/payloads/markets/event-questions.ts";

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

test("the questions of an event are ordered by the index that ends their ids, independent of the order of the markets", () => {
  expect(read({ markets: [market(2), market(0), market(1)] })).toEqual([0, 1, 2].map(conditionOf));
});

describe("unknown question lists", () => {
  const markets = [market(0), market(1), market(2)];
  test.each<[string, Record<string, unknown>]>([
    ["of an event without neg-risk", { markets, negRisk: false }],
    ["of an event with an unknown neg-risk flag", { markets, negRisk: undefined }],
    ["of an event that may get more questions", { markets, negRiskAugmented: true }],
    ["of an event without its id", { markets, negRiskMarketID: "" }],
    ["of an event of the second protocol", { markets, version: "v2" }],
    ["with a missing index", { markets: [market(0), market(2)] }],
    ["without its first question", { markets: [market(1), market(2)] }],
    ["with a repeated index", { markets: [market(0), market(1), market(1, { conditionId: conditionOf(5) })] }],
    ["with a repeated condition", { markets: [market(0), market(1), market(2, { conditionId: conditionOf(1) })] }],
    ["with a question that has no condition yet", { markets: [market(0), market(1), market(2, { conditionId: "" })] }],
    ["with a question of another event", { markets: [...markets, market(3, { questionID: `0x${"ab".repeat(32)}` })] }],
    ["with a question without id", { markets: [...markets, market(3, { questionID: undefined })] }],
    ["with an Other question", { markets: [...markets, market(3, { negRiskOther: true })] }],
    ["of one question", { markets: [market(0)] }],
    ["of no questions", { markets: [] }],
  ])("the question list %s is unknown", (_, facts) => {
    expect(read(facts)).toBeNull();
  });
});
