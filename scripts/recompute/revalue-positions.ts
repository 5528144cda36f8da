import { sql } from "drizzle-orm";
import { o, p } from "../../src/db/aliases.ts";
import type { Session } from "../../src/db/client.ts";
import { outcomes, positions } from "../../src/db/schema.ts";
import { alias, columnName, run } from "../../src/db/sql.ts";
import { positionValue } from "../../src/ingest/ledger/position-value.ts";
import { lockValuedPrices } from "../../src/ingest/ledger/valued-prices.ts";
import type { TraderRange } from "./read-traders.ts";

const owned = alias(positions, "owned");
const VALUE = positionValue({ shares: p.sharesMicro, settled: p.settledMicro, price: o.valuedPrice });

/**
 * Repairs the values of the traders' positions, in the caller's transaction, which holds the ledger lock.
 * Values follow prices and are not part of the ledger, so a different value is not reported as a difference.
 */
export async function revaluePositions(session: Session, { after, upTo }: TraderRange): Promise<void> {
  await run(
    session,
    sql`update ${p} set ${columnName(p.valueMicro)} = ${VALUE}
     from (${lockValuedPrices(sql`${outcomes.id} in (select ${owned.outcomeId} from ${owned}
       where ${owned.traderId} > ${after} and ${owned.traderId} <= ${upTo})`)}) o
     where ${o.id} = ${p.outcomeId} and ${p.traderId} > ${after} and ${p.traderId} <= ${upTo}
       and ${p.valueMicro} is distinct from ${VALUE}`,
  );
}
