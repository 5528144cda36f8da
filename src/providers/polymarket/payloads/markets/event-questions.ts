import { z } from "zod";
import { ConditionId, Id, OptionalFlag, OptionalText } from "../fields.ts";

/** The fields of a Gamma event that determine its questions. */
export const QuestionEvent = z.object({
  id: Id,
  version: OptionalText,
  negRisk: OptionalFlag,
  negRiskAugmented: OptionalFlag,
  negRiskMarketID: OptionalText,
  /**
   * Each record is parsed later as a `QuestionMarket`. One that does not match makes the list unknown, but
   * not the response invalid.
   */
  markets: z.array(z.unknown()),
});

export const QuestionMarket = z.object({
  conditionId: ConditionId,
  questionID: z.string().toLowerCase(),
  version: OptionalText,
  negRisk: OptionalFlag,
  negRiskOther: OptionalFlag,
});

export type QuestionEvent = z.output<typeof QuestionEvent>;
