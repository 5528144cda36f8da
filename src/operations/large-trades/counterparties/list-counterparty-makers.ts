import { z } from "zod";
import { ApiError } from "../../../api/errors.ts";
import { defineOperation } from "../../../api/operation.ts";
import { cursorParam, limitParam } from "../../../api/request/query-params.ts";
import { LargeTradeIdParam } from "../../row-id.ts";
import { getCounterpartySnapshot, snapshotIdParam } from "./get-counterparty-snapshot.ts";
import { openMakerCursor, pageMakers } from "./page-makers.ts";
import { presentCounterpartyParticipant } from "./present-counterparty-participant.ts";
import { CounterpartyMakerPage } from "./schemas.ts";

export const listCounterpartyMakers = defineOperation({
  kind: "single",
  id: "listLargeTradeCounterpartyMakers",
  method: "get",
  path: "/api/v1/large-trades/{id}/counterparties/executions/{execution_id}/makers",
  tag: "Large trades",
  summary: "Page through the makers of one execution.",
  description:
    "Lists every maker of the execution, largest share first. Available when the recorded fills add up to the " +
    "taker's shares to the millionth of a share.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {
    id: LargeTradeIdParam,
    execution_id: z.string().meta({
      description:
        "Id of the execution from the response of the large trade. An execution of another trade returns 404.",
      example: `0x${"a".repeat(64)}`,
    }),
  },
  query: { snapshot_id: snapshotIdParam(), cursor: cursorParam("wtc_"), limit: limitParam({ max: 100, default: 20 }) },
  reasons: ["not_found", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 5,
  mcpTool: "get_large_trade_counterparty_makers",
  object: "counterparty_maker_page",
  data: CounterpartyMakerPage,
  async handle({ params, query }, { db, config }) {
    const { found, described } = await getCounterpartySnapshot({ db, config }, params.id, query.snapshot_id);
    const { executionId, analysisId, snapshotId } = described;
    if (params.execution_id.toLowerCase() !== executionId || found.match.status === "unavailable")
      throw new ApiError("not_found", {
        param: "execution_id",
        message: "The trade has no execution with this id and known makers.",
      });

    const list = { keys: config.cursorKeys, analysisId };
    const served = await openMakerCursor(list, query.cursor);
    const page = await pageMakers(found.match.makers, list, { served, limit: query.limit });
    return {
      data: {
        analysis_id: analysisId,
        snapshot_id: snapshotId,
        execution_id: executionId,
        items: page.makers.map((maker) => presentCounterpartyParticipant(maker, found.participants.get(maker.wallet))),
        ...(page.nextCursor === null ? {} : { next_cursor: page.nextCursor }),
      },
    };
  },
});
