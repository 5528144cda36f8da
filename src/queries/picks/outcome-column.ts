import { z } from "zod";
import { PICK_OUTCOMES } from "../../domain/picks/pick-outcome.ts";

/** The outcome of a pick in a row; null while pending. */
export const Outcome = z.enum(PICK_OUTCOMES).nullable();
