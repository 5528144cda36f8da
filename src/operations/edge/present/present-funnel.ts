import type { z } from "zod";
import type { StoredEdgeSnapshot } from "../../../domain/edge/edge-snapshot.ts";
import type { PreGameSideFunnel, PreGameSideSportFunnel } from "../schemas/observation-schemas.ts";

export const presentFunnel = (funnel: StoredEdgeSnapshot["funnel"]): z.input<typeof PreGameSideFunnel> => ({
  sports: funnel.map(presentSportFunnel),
});

export function presentSportFunnel(
  stored: StoredEdgeSnapshot["funnel"][number],
): z.input<typeof PreGameSideSportFunnel> {
  const { sport, upcoming_status: status, input, terminals } = stored;
  const total = Object.values(terminals).reduce((sum, inputs) => sum + inputs, 0);
  return {
    sport,
    board_input: stored.board_input,
    board_live_available: stored.live_available,
    board_upcoming_configured: status !== "not_configured",
    board_upcoming_available: status === "available",
    board_upcoming_status: status,
    board_upcoming_unavailable_scopes: status === "source_unavailable" ? ["category"] : [],
    input,
    terminals,
    terminal_total: total,
    reconciled: input === total,
  };
}
