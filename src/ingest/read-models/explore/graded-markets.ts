import type { Session } from "../../../db/client.ts";
import { COHORT, GRADED_HOLDINGS, SHARP_FLOWS } from "../graded-holdings.ts";
import { exploreKey } from "./explore-key.ts";
import type { ExploreFlags } from "./explore-state.ts";

/**
 * Brings `graded_markets` up to date with what graded wallets hold and have traded in 24 hours, by difference, and makes the entries due whose
 * flow has changed: by a trade, by a grade, or because a trade left the window.
 */
export async function refreshGradedMarkets(session: Session): Promise<void> {
  await session.query(
    `with ${COHORT}, ${GRADED_HOLDINGS}, ${SHARP_FLOWS}, now_graded as materialized (
       select market_id, coalesce(h.wallets, 0)::int as wallets, coalesce(h.yes_shares_micro, 0)::bigint as yes_shares_micro,
         coalesce(h.no_shares_micro, 0)::bigint as no_shares_micro, f.net_micro::bigint as sharp_net_micro
       from holdings h full join sharp_flows f using (market_id)
     ), differing as materialized (
       select market_id, n.market_id is null as is_gone, n.wallets, n.yes_shares_micro, n.no_shares_micro, n.sharp_net_micro,
         n.sharp_net_micro is distinct from g.sharp_net_micro as flow_changed
       from now_graded n full join graded_markets g using (market_id)
       where (n.wallets, n.yes_shares_micro, n.no_shares_micro, n.sharp_net_micro)
         is distinct from (g.wallets, g.yes_shares_micro, g.no_shares_micro, g.sharp_net_micro)
     ), gone as (
       delete from graded_markets g using differing d where g.market_id = d.market_id and d.is_gone
     ), written as (
       insert into graded_markets (market_id, wallets, yes_shares_micro, no_shares_micro, sharp_net_micro)
       select market_id, wallets, yes_shares_micro, no_shares_micro, sharp_net_micro from differing where not is_gone
       on conflict (market_id) do update set wallets = excluded.wallets, yes_shares_micro = excluded.yes_shares_micro,
         no_shares_micro = excluded.no_shares_micro, sharp_net_micro = excluded.sharp_net_micro
     )
     insert into explore_due (entry_key, due_at)
     select distinct ${exploreKey("m")}, '-infinity'::timestamptz from differing d join markets m on m.id = d.market_id where d.flow_changed
     on conflict (entry_key) do update set due_at = excluded.due_at`,
  );
}

/** Without a day of recorded trades no flow is no figure, and without a graded wallet whose history is known nothing is known of holdings. */
export async function readExploreFlags(session: Session): Promise<ExploreFlags> {
  const { rows } = await session.query<ExploreFlags>(
    `with ${COHORT}
     select coalesce((select min(traded_at) from large_trades) <= now() - interval '24 hours'
         and (select updated_at from ingest_checkpoints where feed = 'trades:takers') > now() - interval '24 hours', false) as day_known,
       exists (select from cohort) as cohort_known`,
  );
  const [flags] = rows;
  if (flags === undefined) throw new Error("flags are one row");
  return flags;
}
