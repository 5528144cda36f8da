import { z } from "zod";
import { GRADES } from "../domain/traders/grades.ts";

/*
 * Fields that several payloads have.
 */
const WALLET = "0x1111111111111111111111111111111111111111";
const CONDITION = `0x${"7".repeat(64)}`;

export const grade = z.enum(GRADES);
export const conditionId = z
  .string()
  .meta({ description: "The market: the provider's condition id.", example: CONDITION });
export const wallet = z.string().meta({ description: "The trader's wallet address.", example: WALLET });
export const traderId = z.int().positive().meta({ description: "The trader's number: 12 is trd_12.", example: 12 });
