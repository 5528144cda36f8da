import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findCombo } from "../../queries/combos/find-combo.ts";
import { presentCombo, presentLifecycle } from "./present/present-combo.ts";
import { presentComboCoverage } from "./present/present-combo-coverage.ts";
import { EXAMPLE_COMBO_ID } from "./schemas/leg-schemas.ts";
import { ComboDetail } from "./schemas/combo-schemas.ts";

const MAX_FILLS = 100;

export const getCombo = defineOperation({
  kind: "single",
  id: "getCombo",
  method: "get",
  path: "/api/v1/combos/{condition_id}",
  tag: "Combos",
  summary: "Get one combo with its legs and newest fills.",
  description:
    "Returns one combo: its legs, sums over its recorded fills, its newest 100 fills at any price, and its other " +
    "events. Each execution is listed and counted once, as the fill of its taker. `status` is that of the YES side, " +
    "which pays when all legs win.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {
    condition_id: z
      .string()
      .regex(/^0x[0-9a-f]{62}$/)
      .meta({
        description:
          "The condition id of the combo: 0x and 62 hex digits, lower case. Any other text returns 400; an id that " +
          "is not of a known combo returns 404.",
        example: EXAMPLE_COMBO_ID,
      }),
  },
  query: {},
  reasons: ["not_found"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_combo",
  object: "combo",
  data: ComboDetail,
  async handle({ params }, { db, now }) {
    const found = await findCombo(db, params.condition_id, MAX_FILLS, now);
    if (found === null)
      throw new ApiError("not_found", { param: "condition_id", message: "No recorded combo has this condition id." });
    return {
      data: {
        access: "full" as const,
        ...presentCombo(found, now),
        lifecycle: presentLifecycle(found.lifecycle),
        coverage: presentComboCoverage(found.coverage, now),
      },
    };
  },
});
