import type { z } from "zod";
import type { ComboRow } from "../../../queries/combos/combo-rows.ts";
import type { ComboFill } from "../schemas/fill-schemas.ts";
import { presentComboLeg } from "./present-combo-leg.ts";

/** What a fill shows of its combo. All fills of a combo share one, because most of a response is legs. */
export type TradedCombo = Pick<
  z.input<typeof ComboFill>,
  "condition_id" | "leg_count" | "status" | "status_reason" | "won_legs" | "legs"
>;

export const presentTradedCombo = (combo: ComboRow, now: Date): TradedCombo => ({
  condition_id: combo.condition_id,
  leg_count: combo.leg_count,
  status: combo.status,
  status_reason: combo.status_reason,
  won_legs: combo.are_legs_known ? combo.legs.filter(({ state }) => state === "won").length : null,
  legs: combo.legs.map((leg) => presentComboLeg(leg, now)),
});
