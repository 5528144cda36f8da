import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import {
  findRangeFault,
  findSizeFault,
  toSizeCents,
  type DatasetFilters,
  type RangeFault,
} from "../../domain/exports/dataset-range.ts";
import { findConditionId } from "../../queries/markets/market-condition.ts";
import { requireCaller } from "../owned-resource.ts";
import { submitAndEnqueue } from "../export-jobs/submit-job.ts";
import { parseMarketRef } from "../markets/market-param.ts";
import { DATASET_OPERATION } from "./dataset-operation.ts";
import { presentDataset } from "./present-dataset.ts";
import { WhaleDatasetJob, WhaleDatasetRequest } from "./schemas.ts";

export const submitWhaleDataset = defineOperation({
  ...DATASET_OPERATION,
  kind: "single",
  id: "submitWhaleDataset",
  method: "post",
  path: "/api/v1/datasets/whale-trades",
  summary: "Submit a dataset of large trades.",
  description:
    "Starts a job that writes the large trades of a past range, at most 31 days and 1,000,000 trades, into one gzip " +
    "NDJSON file, or into a Parquet file as an addition to the contract. Poll its status, then download the file within 24 hours of the submit. An equal request whose job has " +
    "not ended returns that job, with 200. An account can submit five datasets an hour and 20 files a day; cancelled " +
    "and failed jobs count.",
  params: {},
  reasons: ["bad_request", "invalid_body"],
  successStatus: 202,
  mayReuse: true,
  object: "whale_dataset_job",
  data: WhaleDatasetJob,
  body: WhaleDatasetRequest,
  async handle({ body }, context) {
    const { principal, now } = context;
    const [from, to] = [new Date(body.from), new Date(body.to)];
    refuse(findRangeFault(from, to, now));
    if (body.min_size !== undefined) refuse(findSizeFault(body.min_size));
    const filters: DatasetFilters = {
      from: from.toISOString(),
      to: to.toISOString(),
      condition_id: body.condition_id === undefined ? null : await resolveMarket(body.condition_id, context),
      min_size_cents: toSizeCents(body.min_size ?? null),
    };
    const { job, isReused } = await submitAndEnqueue(
      {
        accountId: requireCaller(principal).accountId,
        kind: "whale_dataset",
        traderId: null,
        format: body.format,
        request: filters,
        requestKey: `whale_dataset:${body.format}:${JSON.stringify(filters)}`,
        reusedStates: ["queued", "running", "reconcile_required"],
      },
      context,
    );
    return { data: await presentDataset(job, context), ...(isReused ? { isReused } : {}) };
  },
});

function refuse(fault: RangeFault | null): void {
  if (fault !== null) throw new ApiError("invalid_body", fault);
}

async function resolveMarket(text: string, { db }: OperationContext): Promise<string> {
  const conditionId = await findConditionId(db, parseMarketRef(text));
  if (conditionId === null)
    throw new ApiError("invalid_body", { param: "condition_id", message: "No market has this id." });
  return conditionId;
}
