import { z } from "zod";
import { numberParam } from "../../api/request/query-params.ts";
import type { OperationContext } from "../../context.ts";
import type { JobRef } from "../../queries/exports/export-jobs.ts";
import { findExportedTrader } from "../../queries/exports/trader-export-summary.ts";
import { OWNED_RESOURCE_OPERATION, requireCaller } from "../owned-resource.ts";
import { parseTraderRef, unknownTrader } from "../traders/parse-trader-ref.ts";
import { EXAMPLE_ADDRESS } from "../traders/schemas/trader-example.ts";
import { TraderExportJob } from "./schemas.ts";

/** The path segment that identifies the exported trader. */
export const ExportedTraderSegment = z
  .string()
  .min(1)
  .max(100)
  .meta({
    description:
      "The trader: its wallet address (0x and 40 hex digits), its trd_ id, or a known username. Case-insensitive. A " +
      "trader without any recorded activity is 404; an id of another resource type is 400.",
    example: EXAMPLE_ADDRESS,
  });

/** Settings shared by all operations of trader exports. */
export const EXPORT_OPERATION = {
  ...OWNED_RESOURCE_OPERATION,
  tag: "Exports",
  scope: "export",
  params: { address: ExportedTraderSegment },
} as const;

const jobId = numberParam({ min: 1, integer: true, required: true }).meta({
  description: "Number of the job. A job of another account, trader or kind is 404, as a missing one.",
  example: 17,
});

/** Settings of operations on one job. */
export const EXPORT_JOB_OPERATION = {
  ...EXPORT_OPERATION,
  kind: "single",
  query: { job_id: jobId },
  reasons: ["bad_request", "not_found"],
  object: "trader_export_job",
  data: TraderExportJob,
} as const;

/** @throws ApiError bad_request, not_found */
export async function findTrader(address: string, { db }: OperationContext): Promise<{ id: number; address: string }> {
  const trader = await findExportedTrader(db, parseTraderRef(address));
  if (trader === null) throw unknownTrader();
  return trader;
}

/** @throws ApiError bad_request, not_found */
export const exportRef = async (address: string, id: number, context: OperationContext): Promise<JobRef> => ({
  accountId: requireCaller(context.principal).accountId,
  id,
  kind: "trader_export",
  traderId: (await findTrader(address, context)).id,
});
