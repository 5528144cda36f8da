import { ApiError } from "../../../api/errors.ts";
import { textParam } from "../../../api/params.ts";
import type { OperationContext } from "../../../context.ts";
import { findCounterparties, type TradeCounterparties } from "../../../queries/counterparties.ts";
import { parseRowRef } from "../../row-ref.ts";
import { describeCounterparties, type DescribedCounterparties } from "./describe-counterparties.ts";

const CHANGED = { param: "cursor", message: "snapshot_id names fills that are no longer all that is recorded. Read the trade again." };

/** The query name of a snapshot. */
export const snapshotParam = () =>
  textParam({ required: true }).meta({
    description:
      "The snapshot to read: `counterparty_analysis.snapshot_id` of the trade's own answer. One that is no longer current, or never was of this trade, is 400 `cursor_expired`.",
    example: "cps_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
  });

/**
 * A large trade's counterparties as the snapshot that a client goes on reading has them.
 *
 * @throws ApiError not_found for no such trade, cursor_expired when more has been recorded since, or the id never was a snapshot of it
 */
export async function findSnapshot(
  db: OperationContext["db"],
  tradeRef: string,
  snapshotId: string,
): Promise<{ found: TradeCounterparties; described: DescribedCounterparties }> {
  const id = parseRowRef(tradeRef);
  const found = id === null ? null : await findCounterparties(db, id);
  if (found === null) throw new ApiError("not_found", { param: "id", message: `There is no large trade ${tradeRef}.` });
  const described = await describeCounterparties(found);
  if (described.snapshotId !== snapshotId) throw new ApiError("cursor_expired", CHANGED);
  return { found, described };
}
