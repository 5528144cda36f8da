import { sql, type SQL } from "drizzle-orm";
import { events, outboxEpoch } from "../schema.ts";
import { alias, columnNames } from "../sql.ts";

const stored = alias(events, "stored");

/**
 * The statement that adds the events of `source`, which is named `t` and has the columns type, payload, large_trade_id,
 * account_id, occurrence and ord, their order. Only for events that a statement makes of its own rows; a test checks their
 * payloads, because no schema does here.
 *
 * An occurrence that is stored already has happened twice, so its event gets no identity but the id of its row: no event
 * may be taken for another one.
 */
export function insertEvents(source: SQL): SQL {
  const { epoch, type, payload, largeTradeId, accountId, identity } = events;
  return sql`insert into ${events} (${columnNames(epoch, type, payload, largeTradeId, accountId, identity)})
    select (select max(${outboxEpoch.epoch}) from ${outboxEpoch}), t.type, t.payload, t.large_trade_id, t.account_id, named.identity
    from ${source}
    left join lateral (
      select left(encode(sha256(convert_to(t.type || ' ' || t.occurrence, 'UTF8')), 'hex'), 32)::uuid as identity
    ) named on not exists (select from ${stored} where ${stored.identity} = named.identity)
    order by t.ord`;
}
