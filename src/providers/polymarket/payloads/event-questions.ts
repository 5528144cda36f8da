import { z } from "zod";
import { ConditionId, Id, OptionalFlag, OptionalText } from "./fields.ts";

/** A Gamma event as far as it tells which questions it is made of. */
export const QuestionEvent = z.object({
  id: Id,
  version: OptionalText,
  negRisk: OptionalFlag,
  negRiskAugmented: OptionalFlag,
  negRiskMarketID: OptionalText,
  /** Each still to be read as a `QuestionMarket`: one that does not fit makes the list unknown, and the answer is none the worse. */
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
