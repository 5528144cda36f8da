import { sql } from "drizzle-orm";
import { graded, m } from "../../../db/aliases.ts";
import type { Session } from "../../../db/client.ts";
import { COVERED_FROM, LARGE_TRADES_AS_OF } from "../../../db/coverage.ts";
import { exploreDue, gradedMarkets } from "../../../db/schema.ts";
import { columnName, columnNames, excluded, run, selectRow, setEach } from "../../../db/sql.ts";
import { COHORT, GRADED_OPEN_SHARES, SHARP_FLOWS } from "../graded-open-shares.ts";
import { exploreKey } from "./explore-key.ts";
import { ExploreFlags } from "./explore-state.ts";

const FIGURES = [
  gradedMarkets.wallets,
  gradedMarkets.yesSharesMicro,
  gradedMarkets.noSharesMicro,
  gradedMarkets.sharpNetMicro,
];
const MARKET_ID = columnName(gradedMarkets.marketId);
const COLUMNS = columnNames(gradedMarkets.marketId, ...FIGURES);

/**
 * Updates `graded_markets` to the open positions of graded traders and their trades of the last 24 hours,
 * writing only differences. Makes the entries due whose flow has changed: by a trade, by a grade, or because
 * a trade left the window.
 */
export async function refreshGradedMarkets(session: Session): Promise<void> {
  await run(
    session,
    sql`with ${COHORT}, ${GRADED_OPEN_SHARES}, ${SHARP_FLOWS}, now_graded as materialized (
       select market_id, coalesce(h.traders, 0)::int as wallets, coalesce(h.yes_shares_micro, 0)::bigint
         as yes_shares_micro,
         coalesce(h.no_shares_micro, 0)::bigint as no_shares_micro, f.net_micro::bigint as sharp_net_micro
       from holdings h full join sharp_flows f using (market_id)
     ), differing as materialized (
       select market_id, n.market_id is null as is_gone, n.wallets, n.yes_shares_micro, n.no_shares_micro,
         n.sharp_net_micro,
         n.sharp_net_micro is distinct from ${graded.sharpNetMicro} as flow_changed
       from now_graded n full join ${graded} using (${MARKET_ID})
       where (n.wallets, n.yes_shares_micro, n.no_shares_micro, n.sharp_net_micro)
         is distinct from (${graded.wallets}, ${graded.yesSharesMicro}, ${graded.noSharesMicro}, ${graded.sharpNetMicro})
     ), removed as (
       delete from ${graded} using differing d where ${graded.marketId} = d.market_id and d.is_gone
     ), written as (
       insert into ${gradedMarkets} (${COLUMNS}) select ${COLUMNS} from differing where not is_gone
       on conflict (${MARKET_ID}) do update set ${setEach(FIGURES, excluded)}
     )
     insert into ${exploreDue} (${columnNames(exploreDue.entryKey, exploreDue.dueAt)})
     select distinct ${exploreKey(m)}, '-infinity'::timestamptz from differing d join ${m}
       on ${m.id} = d.market_id where d.flow_changed
     on conflict (${columnName(exploreDue.entryKey)}) do update set ${setEach([exploreDue.dueAt], excluded)}`,
  );
}

/**
 * Reads the flags. Without 24 hours of recorded trades a missing flow is unknown, not zero. Without a graded
 * trader of known history, positions are unknown.
 */
export async function readExploreFlags(session: Session): Promise<ExploreFlags> {
  const flags = await selectRow(
    session,
    sql`with ${COHORT}
     select coalesce(${COVERED_FROM} <= now() - interval '24 hours'
         and ${LARGE_TRADES_AS_OF} > now() - interval '24 hours', false) as day_known,
       exists (select from cohort) as cohort_known`,
    ExploreFlags,
  );
  if (flags === null) throw new Error("the flags query returned no row");
  return flags;
}
