import { defineOperation } from "../../api/operation.ts";
import { countLiveCombos } from "../../queries/combos/count-live-combos.ts";
import { CombosSummary } from "./schemas/combo-schemas.ts";

export const getCombosSummary = defineOperation({
  kind: "single",
  id: "getCombosSummary",
  method: "get",
  path: "/api/v1/combos/summary",
  tag: "Combos",
  summary: "Count the open combos.",
  description:
    "Returns how many combos with at least one recorded fill are still open. A response is up to 60 seconds old. " +
    "The count is null until combos have been read from the provider for the first time.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {},
  reasons: [],
  conditional: true,
  cacheSeconds: 60,
  cacheTags: ["results"],
  mcpTool: "get_combos_summary",
  object: "combos_summary",
  data: CombosSummary,
  async handle(_input, { db, now }) {
    const counts = await countLiveCombos(db);
    const live =
      counts === null ? null : { count: counts.pending, unknown_count: counts.unknown, computed_at: now.toISOString() };
    return { data: { live } };
  },
});
