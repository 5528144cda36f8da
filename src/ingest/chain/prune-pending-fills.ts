import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { chainPendingFills as pending } from "../../db/schema.ts";
import { bigintText, integer, selectRows, timestamp } from "../../db/sql.ts";
import { formatMicro } from "../../domain/money.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";

/** The provider's feeds serve this and the previous calendar month: after this time they can no longer show the fill. */
export const PENDING_FILL_DAYS = 62;
/** Fills that one transaction deletes at most. */
const BATCH = 1_000;

const ExpiredFill = z.object({
  block_number: integer,
  log_index: integer,
  transaction_hash: z.string(),
  trader: z.string(),
  side: z.string(),
  token_id: z.string(),
  shares_micro: bigintText,
  usd_micro: bigintText,
});

/**
 * Deletes fills of the chain whose market has stayed unknown. They are quarantined, because the ledger lacks them.
 *
 * @returns whether more may be past their time
 */
export async function prunePendingFills(session: Session, now: Date, batch: number = BATCH): Promise<boolean> {
  const rows = await selectRows(
    session,
    sql`delete from ${pending} where (${pending.blockNumber}, ${pending.logIndex}) in (
       select ${pending.blockNumber}, ${pending.logIndex} from ${pending}
       where ${pending.tradedAt} < ${timestamp(now)} - make_interval(days => ${PENDING_FILL_DAYS})
       order by ${pending.blockNumber}, ${pending.logIndex} limit ${batch}
     )
     returning ${pending.blockNumber}, ${pending.logIndex}, '0x' || encode(${pending.txHash}, 'hex') as transaction_hash,
       ${pending.address} as trader, ${pending.side}, ${pending.tokenId}, ${pending.sharesMicro}::text as shares_micro,
       ${pending.usdMicro}::text as usd_micro`,
    ExpiredFill,
  );
  await quarantineRecords(
    session,
    "chain:fills",
    rows.map(({ shares_micro: shares, usd_micro: usd, ...place }) => ({
      reason: `its market stayed unknown for ${PENDING_FILL_DAYS} days`,
      record: { ...place, shares: formatMicro(shares), usd: formatMicro(usd) },
    })),
  );
  return rows.length >= batch;
}
