import { QuestionMarket, type QuestionEvent } from "../../payloads/markets/event-questions.ts";

/**
 * The neg-risk id of an event is 31 bytes and a zero byte. The ids of its questions have their index instead
 * of the zero byte.
 */
const EVENT_ID = /^(0x[0-9a-f]{62})00$/;
const INDEX = /^[0-9a-f]{2}$/;
const MIN_QUESTIONS = 2;

/**
 * The conditions of a neg-risk event's questions, in the order of their on-chain index.
 *
 * @returns null unless the event shows that its list is complete: each market has its condition and a
 *   question id of the event, and the indexes run from 0 without a gap. An event that can be extended
 *   (`negRiskAugmented`) has unlisted questions, and a second-protocol event has an "Other" leg: their lists
 *   are never complete
 */
export function toQuestions(event: QuestionEvent): readonly string[] | null {
  const prefix = EVENT_ID.exec(event.negRiskMarketID?.toLowerCase() ?? "")?.[1];
  if (event.negRisk !== true || event.negRiskAugmented === true || event.version === "v2" || prefix === undefined)
    return null;
  const byIndex = new Map<number, string>();
  for (const record of event.markets) {
    const { data: market } = QuestionMarket.safeParse(record);
    if (market === undefined || market.negRisk === false || market.negRiskOther === true || market.version === "v2")
      return null;
    const index = market.questionID.startsWith(prefix) ? market.questionID.slice(prefix.length) : "";
    if (!INDEX.test(index)) return null;
    byIndex.set(Number.parseInt(index, 16), market.conditionId);
  }
  const list = event.markets.flatMap((_, index) => byIndex.get(index) ?? []);
  return list.length >= MIN_QUESTIONS && new Set(list).size === event.markets.length ? list : null;
}
