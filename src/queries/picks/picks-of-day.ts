import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ev, m, o, t, totals } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { PUBLISHING_JOB } from "../../domain/picks/pick-schedule.ts";
import { jobHeartbeats } from "../../db/schema.ts";
import { isoText, selectRow } from "../../db/sql.ts";
import { close, g, isWithdrawn, joinOutcome, k } from "../../db/fragments/picks.ts";
import { Outcome } from "./outcome-column.ts";

/** Holders shown with a pick: those with the most shares. */
const HOLDERS_SHOWN = 20;

const Holder = z.object({
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(["S", "A"]),
  shares_micro: z.string().transform(BigInt),
  /** Its last known trade in any market; null when none is known. */
  last_traded_at: z.string().nullable(),
});

const PickRow = z.object({
  id: z.string(),
  pick_date: z.string(),
  rank: z.number(),
  is_free: z.boolean(),
  /** Null while it is a slot. */
  published_at: z.string().nullable(),
  release_at: z.string(),
  kickoff: z.string(),
  matchup: z.string(),
  category: z.string(),
  league: z.string().nullable(),
  outcome_label: z.string(),
  token_id: z.string().nullable(),
  event_slug: z.string().nullable(),
  backed_price: z.string(),
  top_grade: z.enum(["S", "A"]),
  holder_count: z.number(),
  backed_micro: z.string().transform(BigInt),
  opposed_micro: z.string().transform(BigInt),
  holders: z.array(Holder),
  outcome: Outcome,
  close_price: z.string().nullable(),
  /** The game's start by its current schedule. */
  scheduled_at: z.string().nullable(),
  live: z.boolean().nullable(),
  ended: z.boolean().nullable(),
});

export type PickRow = z.output<typeof PickRow>;

export interface PicksOfDay {
  /** Picks and slots that are not withdrawn, by rank. */
  readonly picks: readonly PickRow[];
  /** Whether the selection has ever run: before that, it is unknown whether the day has picks. */
  readonly isSelecting: boolean;
}

export async function readPicksOfDay(db: Database, day: string): Promise<PicksOfDay> {
  const row = await selectRow(
    db,
    sql`select (select coalesce(jsonb_agg(to_jsonb(p) order by p.rank), '[]') from (${selectPicksOfDay(day)}) p) as picks,
      exists (select from ${jobHeartbeats} where ${jobHeartbeats.job} = ${PUBLISHING_JOB} and ${jobHeartbeats.succeededAt} is not null)
        as is_selecting`,
    z.object({ picks: z.array(PickRow), is_selecting: z.boolean() }),
  );
  if (row === null) throw new Error("the read of a day's picks returned no row");
  return { picks: row.picks, isSelecting: row.is_selecting };
}

const selectPicksOfDay = (day: string): SQL => sql`
  select ${k.id}::text as id, ${k.pickDate}::text as pick_date, ${k.rank}, ${k.isFree}, ${isoText(k.publishedAt)} as published_at,
    ${isoText(k.releaseAt)} as release_at, ${isoText(k.kickoff)} as kickoff, ${k.matchup}, ${k.category}, ${k.league},
    ${k.outcomeLabel}, ${o.tokenId}, ${ev.slug} as event_slug, ${k.backedPrice}::text as backed_price,
    ${k.backing} ->> 'top_grade' as top_grade, jsonb_array_length(${k.backing} -> 'holders') as holder_count,
    ${k.backing} ->> 'backed_micro' as backed_micro, ${k.backing} ->> 'opposed_micro' as opposed_micro,
    (${HOLDERS}) as holders, settled.outcome, ${close.price}::text as close_price,
    ${isoText(g.scheduledAt)} as scheduled_at, ${g.live}, ${g.ended}
  from ${k} join ${m} on ${m.id} = ${k.marketId} join ${g} on ${g.id} = ${k.gameId}
    left join ${ev} on ${ev.id} = ${g.eventId}
    left join ${o} on ${o.marketId} = ${m.id} and ${o.outcomeIndex} = ${k.outcomeIndex}
    left join ${close} on ${close.pickId} = ${k.id}
    ${joinOutcome}
  where ${k.pickDate} = ${day} and not ${isWithdrawn(k.id)}`;

const HOLDERS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('address', ${t.address}, 'username', ${t.username},
    'grade', held.holder ->> 'grade', 'shares_micro', held.holder ->> 'shares_micro',
    'last_traded_at', ${isoText(totals.lastAt)}) order by held.n), '[]')
  from jsonb_array_elements(${k.backing} -> 'holders') with ordinality held(holder, n)
    join ${t} on ${t.id} = (held.holder ->> 'trader_id')::bigint
    left join ${totals} on ${totals.traderId} = ${t.id}
  where held.n <= ${HOLDERS_SHOWN}`;
