import { sql } from "drizzle-orm";
import { z } from "zod";
import { ev, m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { hasTwoOutcomes } from "../../db/fragments/binary-market.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { g, IS_BOARD_MARKET, IS_ON_BOARD, SELECT_SCANNED_MARKETS } from "../../db/fragments/edge-board.ts";
import { isGameOff } from "../../db/fragments/game-off.ts";
import { NOW, outcomePrice } from "../../db/fragments/market-price.ts";
import { gradedMarkets, holderScans, providerEvents } from "../../db/schema.ts";
import { alias, bigintText, epochMs, integer, selectRows } from "../../db/sql.ts";
import { EDGE_SPORTS } from "../../domain/edge/edge-snapshot.ts";

const main = alias(providerEvents, "main");
const scan = alias(holderScans, "scan");
const graded = alias(gradedMarkets, "graded");

const Outcome = z.object({
  index: z.literal([0, 1]),
  token_id: z.string(),
  label: z.string().nullable(),
  /** Millionths of a dollar, rounded; null without a price. */
  price_micro: bigintText.nullable(),
});

const Market = z.object({
  id: integer,
  condition_id: z.string(),
  title: z.string().nullable(),
  volume_usd: z.string().nullable(),
  event_slug: z.string().nullable(),
  event_id: z.string().nullable(),
  is_resolved: z.boolean(),
  is_closed: z.boolean(),
  is_binary: z.boolean(),
  /** At least one cent. */
  has_volume: z.boolean(),
  /** By index. */
  outcomes: z.array(Outcome),
  scanned_at_ms: z.number().nullable(),
  has_scan_failed: z.boolean(),
  is_scheduled: z.boolean(),
  /** Net large trades of graded traders in 24 hours, YES minus NO; null without any. */
  sharp_net_micro: bigintText.nullable(),
});

const BoardRow = z.object({
  now_ms: z.number(),
  sport: z.enum(EDGE_SPORTS),
  league: z.string().nullable(),
  main_slug: z.string(),
  main_event_id: z.string().nullable(),
  kickoff_ms: z.number(),
  is_live: z.boolean(),
  is_off: z.boolean(),
  read_at_ms: z.number(),
  frame_at_ms: z.number().nullable(),
  /** Null for a game without a stored market of the board's types. */
  market: Market.nullable(),
});

export type BoardRow = z.output<typeof BoardRow>;
export type BoardRowMarket = z.output<typeof Market>;

/** The games of the board with their markets: one row per market, and one per game without any. */
export async function loadBoard(session: Session): Promise<BoardRow[]> {
  return selectRows(
    session,
    sql`with scheduled as materialized (${SELECT_SCANNED_MARKETS})
      select ${epochMs(NOW)} as now_ms, ${g.sport}, ${g.league}, ${g.eventSlug} as main_slug,
        ${main.providerEventId} as main_event_id, ${epochMs(g.scheduledAt)} as kickoff_ms,
        coalesce(${g.live} and not coalesce(${g.ended}, false), false) as is_live,
        coalesce(${g.ended}, false) or ${isGameOff(g)} as is_off,
        ${epochMs(g.observedAt)} as read_at_ms, ${epochMs(g.scoresObservedAt)} as frame_at_ms, listed.market
      from ${g} left join ${main} on ${main.id} = ${g.eventId}
      left join lateral (
        select jsonb_build_object('id', ${m.id}, 'condition_id', ${m.conditionId}, 'title', ${m.title},
          'volume_usd', ${m.volumeUsd}::text, 'event_slug', ${ev.slug}, 'event_id', ${ev.providerEventId},
          'is_resolved', ${m.payoutsPpm} is not null, 'is_closed', ${m.closed},
          'is_binary', ${m.hydratedAt} is not null and ${hasTwoOutcomes(m.id)} and not ${isCombinationSql(m.conditionId)},
          'has_volume', coalesce(${m.volumeUsd} >= 0.01, false),
          'outcomes', coalesce((select jsonb_agg(jsonb_build_object('index', ${o.outcomeIndex}, 'token_id', ${o.tokenId},
              'label', ${o.label},
              'price_micro', (round(${outcomePrice({ market: m, outcome: o, now: NOW })}, 6) * 1000000)::bigint::text)
              order by ${o.outcomeIndex})
            from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} in (0, 1)), '[]'),
          'scanned_at_ms', ${epochMs(scan.fetchedAt)}, 'has_scan_failed', ${scan.lastError} is not null,
          'is_scheduled', ${m.id} in (select id from scheduled),
          'sharp_net_micro', ${graded.sharpNetMicro}::text) as market
        from ${m} left join ${ev} on ${ev.id} = ${m.eventId} left join ${scan} on ${scan.marketId} = ${m.id}
          left join ${graded} on ${graded.marketId} = ${m.id}
        where ${IS_BOARD_MARKET}
      ) listed on true
      where ${IS_ON_BOARD}`,
    BoardRow,
  );
}
