import { sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { comboEvents } from "../../db/schema.ts";
import { columnName, columnNames, run } from "../../db/sql.ts";
import type { ProviderComboEvent } from "../../platform/provider.ts";

const amount = (micro: bigint | null) => (micro === null ? null : String(micro));

/**
 * Stores the events of a trader, each once. `bookComboEvents` books them.
 *
 * @param marketIds of the events' combos, by condition id
 */
export async function recordComboEvents(
  session: Session,
  traderId: number,
  events: readonly ProviderComboEvent[],
  marketIds: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = events.flatMap((event) => {
    const marketId = marketIds.get(event.combo.conditionId);
    return marketId === undefined ? [] : [{ event, marketId }];
  });
  if (rows.length === 0) return;
  const { providerId, marketId, kind, outcomeIndex, amountMicro, payoutMicro, sharesMicro, blockNumber, logIndex } =
    comboEvents;
  const columns = [
    providerId,
    marketId,
    kind,
    outcomeIndex,
    amountMicro,
    payoutMicro,
    sharesMicro,
    blockNumber,
    logIndex,
  ];
  const reported = recordset("t", rows, {
    provider_id: ["text", ({ event }) => event.providerId],
    market_id: ["bigint", (row) => row.marketId],
    kind: ["text", ({ event }) => event.kind.toLowerCase()],
    outcome_index: ["smallint", ({ event }) => event.outcomeIndex],
    amount_micro: ["bigint", ({ event }) => amount(event.amountMicro)],
    payout_micro: ["bigint", ({ event }) => amount(event.payoutMicro)],
    shares_micro: ["bigint", ({ event }) => amount(event.sharesMicro)],
    block_number: ["bigint", ({ event }) => event.blockNumber],
    log_index: ["int", ({ event }) => event.logIndex],
    happened_ms: ["float8", ({ event }) => event.happenedAt.getTime()],
  });
  await run(
    session,
    sql`insert into ${comboEvents} (${columnNames(...columns, comboEvents.traderId, comboEvents.happenedAt)})
     select ${columnNames(...columns)}, ${traderId}::bigint, to_timestamp(happened_ms / 1000) from ${reported}
     on conflict (${columnName(providerId)}) do nothing`,
  );
}
