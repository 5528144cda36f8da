import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { endpoint, isActive } from "../../db/fragments/webhooks.ts";
import { isoText, selectRows } from "../../db/sql.ts";
import { account, m } from "../../db/aliases.ts";
import { ACCOUNT_STATES, PLANS } from "../../domain/accounts/accounts.ts";
import type { Subscriber } from "../rules/match-endpoints.ts";
import { TradeFilters } from "../rules/trade-filters.ts";

const Row = z.object({
  endpoint_id: z.string(),
  account_id: z.number().int(),
  event_types: z.array(z.string()),
  trade_filters: TradeFilters,
  verified_at: z.string(),
  state: z.enum(ACCOUNT_STATES),
  plan: z.enum(PLANS),
});

/** The row number of a market given by its `mkt_` id; null for a number with more digits than any row's. */
const marketNumber = sql`case when ${endpoint.tradeFilters}->>'condition_id' ~ '^mkt_[0-9]{1,18}$'
  then substr(${endpoint.tradeFilters}->>'condition_id', 5)::bigint end`;

/** All active, verified endpoints, with `mkt_` ids in filters replaced by condition ids. */
export async function listSubscribers(db: Database): Promise<Subscriber[]> {
  const rows = await selectRows(
    db,
    sql`
      select ${endpoint.id}::text as endpoint_id, ${endpoint.accountId}::int,
        to_json(${endpoint.eventTypes}) as event_types, ${account.state}, ${account.plan},
        ${endpoint.tradeFilters} || case when ${endpoint.tradeFilters}->>'condition_id' like 'mkt\_%'
          then jsonb_build_object('condition_id',
            coalesce((select ${m.conditionId} from ${m} where ${m.id} = ${marketNumber}), 'none'))
          else '{}' end as trade_filters,
        ${isoText(endpoint.verifiedAt)} as verified_at
      from ${endpoint} join ${account} on ${account.id} = ${endpoint.accountId}
      where ${isActive(endpoint)} and ${endpoint.verifiedAt} is not null
      order by ${endpoint.id}`,
    Row,
  );
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    accountId: row.account_id,
    eventTypes: row.event_types,
    filters: row.trade_filters,
    verifiedAt: row.verified_at,
    state: row.state,
    plan: row.plan,
  }));
}
