import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { ACCOUNT_STATES, PLANS } from "../domain/accounts.ts";
import type { Subscriber } from "../domain/webhooks/match-endpoints.ts";
import { TradeFilters } from "../domain/webhooks/trade-filters.ts";

const Row = z.object({
  endpoint_id: z.string(),
  account_id: z.number().int(),
  event_types: z.array(z.string()),
  trade_filters: TradeFilters,
  verified_at: z.string(),
  state: z.enum(ACCOUNT_STATES),
  plan: z.enum(PLANS),
});

/** The number of the market that is named by its `mkt_` id; null for one that is longer than any row's. */
const marketNumber = sql`case when e.trade_filters->>'condition_id' ~ '^mkt_[0-9]{1,18}$' then substr(e.trade_filters->>'condition_id', 5)::bigint end`;

/** All endpoints that may be told of something now, with filters by `mkt_` id turned into filters by condition id. */
export async function listSubscribers(db: Database): Promise<Subscriber[]> {
  const { rows } = await db.execute(sql`
    select e.id::text as endpoint_id, e.account_id::int, to_json(e.event_types) as event_types, a.state, a.plan,
      e.trade_filters || case when e.trade_filters->>'condition_id' like 'mkt\_%' then jsonb_build_object('condition_id',
        coalesce((select m.condition_id from markets m where m.id = ${marketNumber}), 'none')) else '{}' end as trade_filters,
      to_char(e.verified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as verified_at
    from webhook_endpoints e join accounts a on a.id = e.account_id
    where e.status = 'active' and e.deleted_at is null and e.verified_at is not null
    order by e.id`);
  return z
    .array(Row)
    .parse(rows)
    .map((row) => ({
      endpointId: row.endpoint_id,
      accountId: row.account_id,
      eventTypes: row.event_types,
      filters: row.trade_filters,
      verifiedAt: row.verified_at,
      state: row.state,
      plan: row.plan,
    }));
}
