import { ApiError } from "../../../api/errors.ts";
import { textParam } from "../../../api/request/query-params.ts";
import type { OperationContext } from "../../../context.ts";
import { findCounterparties, type TradeCounterparties } from "../../../queries/trades/counterparties.ts";
import { parseRowId } from "../../row-id.ts";
import { describeCounterparties, type CounterpartyDescription } from "./describe-counterparties.ts";

const CHANGED = {
  param: "cursor",
  message: "snapshot_id is not the current snapshot of this trade. Read the trade again to get the current one.",
};

/** Query parameter `snapshot_id`. */
export const snapshotIdParam = () =>
  textParam({ required: true }).meta({
    description:
      "Snapshot to read: `counterparty_analysis.snapshot_id` of the large trade. A snapshot that is no longer " +
      "current, or belongs to another trade, returns 400 `cursor_expired`.",
    example: "cps_5f1c0b9a7d3e4c2180aa64fd9b1c2d3e",
  });

/**
 * Returns the counterparties of a large trade if `snapshotId` is their current snapshot.
 *
 * @throws ApiError not_found for an unknown trade, cursor_expired for any other snapshot: more fills were
 * recorded, or the snapshot belongs to another trade
 */
export async function getCounterpartySnapshot(
  { db, config }: Pick<OperationContext, "db" | "config">,
  tradeRef: string,
  snapshotId: string,
): Promise<{ found: TradeCounterparties; described: CounterpartyDescription }> {
  const id = parseRowId(tradeRef);
  const found = id === null ? null : await findCounterparties(db, id);
  if (found === null) throw new ApiError("not_found", { param: "id", message: `There is no large trade ${tradeRef}.` });
  const described = await describeCounterparties(found, config.cursorKeys);
  if (described.snapshotId !== snapshotId) throw new ApiError("cursor_expired", CHANGED);
  return { found, described };
}
