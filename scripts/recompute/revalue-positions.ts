import type pg from "pg";
import { positionValue } from "../../src/ingest/values/position-value.ts";
import type { WalletRange } from "./read-wallets.ts";

const VALUE = positionValue({ shares: "p.shares_micro", settled: "p.settled_micro", price: "o.valued_price" });

/**
 * Puts the values of the wallets' positions right, in the caller's transaction, which holds the ledger lock. They follow prices and are no part of
 * the ledger: another value is no difference to tell.
 */
export async function revaluePositions(client: pg.ClientBase, { after, upTo }: WalletRange): Promise<void> {
  await client.query(
    `update positions p set value_micro = ${VALUE}
     from outcomes o
     where o.id = p.outcome_id and p.trader_id > $1 and p.trader_id <= $2 and p.value_micro is distinct from ${VALUE}`,
    [after, upTo],
  );
}
