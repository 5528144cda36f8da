import { z } from "zod";
import { openCursor, signCursor } from "../../../api/cursor.ts";
import { ApiError } from "../../../api/errors.ts";
import { defineOperation } from "../../../api/operation.ts";
import { cursorParam, limitParam } from "../../../api/params.ts";
import { LargeTradeSegment } from "../../row-ref.ts";
import { findSnapshot, snapshotParam } from "./find-snapshot.ts";
import { presentParticipant } from "./present-participant.ts";
import { CounterpartyMakerPage } from "./schemas.ts";

/** How many makers were served: a snapshot does not change, so their places stand. */
const Position = z.object({ served: z.number().int().positive() });

export const listCounterpartyMakers = defineOperation({
  kind: "single",
  id: "listLargeTradeCounterpartyMakers",
  method: "get",
  path: "/api/v1/large-trades/{id}/counterparties/executions/{execution_id}/makers",
  tag: "Large trades",
  summary: "Page through the makers of one execution.",
  description:
    "Every maker of the execution, the largest part first, where the recorded fills add up to the taker's last millionth of a share. The execution is named by the trade's own answer.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {
    id: LargeTradeSegment,
    execution_id: z.string().meta({
      description: "The execution, as the trade's own answer names it. One that the trade does not have is 404.",
      example: `0x${"a".repeat(64)}`,
    }),
  },
  query: { snapshot_id: snapshotParam(), cursor: cursorParam("wtc_"), limit: limitParam({ max: 100, default: 20 }) },
  reasons: ["not_found", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_large_trade_counterparty_makers",
  object: "counterparty_maker_page",
  data: CounterpartyMakerPage,
  async handle({ params, query }, { db, config }) {
    const { found, described } = await findSnapshot(db, params.id, query.snapshot_id);
    const { executionId, analysisId, snapshotId } = described;
    if (params.execution_id.toLowerCase() !== executionId || found.match.status === "unavailable")
      throw new ApiError("not_found", { param: "execution_id", message: "The trade has no execution of this id whose makers are known." });

    const list = { secret: config.cursorSecret, prefix: "wtc_", list: "counterparty_makers", filters: analysisId };
    const served = query.cursor === null || query.cursor === "" ? 0 : (await openCursor(list, query.cursor, Position)).served;
    const end = served + query.limit;
    const { makers } = found.match;
    return {
      data: {
        analysis_id: analysisId,
        snapshot_id: snapshotId,
        execution_id: executionId,
        items: makers.slice(served, end).map((maker) => presentParticipant(maker, found.participants.get(maker.wallet))),
        ...(end < makers.length ? { next_cursor: await signCursor(list, { served: end }) } : {}),
      },
    };
  },
});
