import { defineOperation } from "../../api/operation.ts";
import { booleanParam, enumParam } from "../../api/request/query-params.ts";
import { EXPORT_FORMATS } from "../../domain/exports/export-job.ts";
import { requireCaller } from "../owned-resource.ts";
import { submitAndEnqueue } from "../export-jobs/submit-job.ts";
import { EXPORT_OPERATION, findTrader } from "./export-operation.ts";
import { presentExport } from "./present-export.ts";
import { TraderExportJob } from "./schemas.ts";

export const submitTraderExport = defineOperation({
  ...EXPORT_OPERATION,
  kind: "single",
  id: "submitTraderExport",
  method: "post",
  path: "/api/v1/trader/{address}/export",
  summary: "Submit an export of one trader's trades.",
  description:
    "Starts a job that writes all recorded trades of the trader, oldest first, into one gzip file. json and ndjson " +
    "begin with an envelope about the trader; csv has only trades. parquet, an addition to the contract, is not " +
    "compressed again and has the envelope in its footer. Poll its status, then download the file within 24 " +
    "hours of the submit. An equal request returns the job that is already there, with 200 and cost 0. An account can " +
    "submit 20 files a day, and five exports of one trader an hour; cancelled and failed jobs count.",
  query: {
    format: enumParam(EXPORT_FORMATS, "json").meta({
      description: "Format of the file. parquet is an addition to the contract.",
      example: "csv",
    }),
    fresh: booleanParam(false).meta({
      description: "true returns only a queued job, and otherwise starts a new one.",
      example: true,
    }),
  },
  reasons: ["bad_request", "not_found"],
  successStatus: 202,
  mayReuse: true,
  object: "trader_export_job",
  data: TraderExportJob,
  async handle({ params, query }, context) {
    const trader = await findTrader(params.address, context);
    const { job, isReused } = await submitAndEnqueue(
      {
        accountId: requireCaller(context.principal).accountId,
        kind: "trader_export",
        traderId: trader.id,
        format: query.format,
        request: {},
        requestKey: `trader_export:${trader.id}:${query.format}`,
        reusedStates: query.fresh ? ["queued"] : ["queued", "running", "reconcile_required", "ready"],
      },
      context,
    );
    return { data: presentExport(job, context.now), ...(isReused ? { isReused } : {}) };
  },
});
