import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import { conditionId, EXAMPLE_CONDITION_ID } from "../fields.ts";
import { LargeTrade } from "../large-trades/schemas.ts";

const CURSOR = "evr_eyJleGFtcGxlIjoxfQ.c2lnbmVk";

const EventReplaySource = z
  .object({
    kind: z.literal("local_durable_replay").meta({ description: "Stored events are read again." }),
    producer_family: z.literal("whale_trades").meta({ description: "A constant of the format: what the events are about." }),
    owner: z.literal("whale_alerts").meta({ description: "A constant of the format: the stored large trades." }),
    provider_fetch_at_request_time: z.literal(false).meta({ description: "The provider is not asked for this answer." }),
  })
  .meta({ id: "EventReplaySource", description: "Where the event comes from." });

const EventReplayFreshness = z
  .object({
    status: z.literal("observed").meta({ description: "It was seen, and not worked out afterwards." }),
    observed_at: z.iso.datetime().meta({ description: "When it was recorded, UTC.", example: "2026-11-20T12:00:04.120Z" }),
  })
  .meta({ id: "EventReplayFreshness", description: "How the event is known." });

export const EventReplayEvent = z
  .object({
    id: z.string().meta({ description: "The event's ef_ id: one that was met before is the same event.", example: "ef_1_90210" }),
    type: z.literal("whale_trades_inserted").meta({ description: "A large trade was recorded." }),
    cursor: z.string().meta({ description: "Sent as `cursor`, it goes on right behind this event.", example: CURSOR }),
    sequence: z.int().min(1).meta({
      description: "The trade's row number. It does not order the events: they come in the order in which they became visible.",
      example: 81,
    }),
    published_at: z.iso.datetime().meta({ description: "When it was recorded, UTC.", example: "2026-11-20T12:00:04.120Z" }),
    payload: z
      .object({
        count: z.int().min(1).meta({ description: "Trades that the event tells of.", example: 1 }),
        whale_alert_id: z.int().min(1).meta({ description: "The trade's row number: 81 is wt_81.", example: 81 }),
        condition_id: conditionId,
        trader_id: z.int().meta({ description: "The wallet's row number: 12 is trd_12.", example: 12 }),
        platform: z.literal("polymarket").meta({ description: "The provider." }),
      })
      .meta({ description: "What it tells." }),
    trade: LargeTrade.nullable().optional().meta({
      description: "The trade as its own operation answers it, today; null when there is none any more. Only with `expand=trade`.",
    }),
    source: EventReplaySource,
    freshness: EventReplayFreshness,
  })
  .meta({ id: "EventReplayEvent", description: "One recorded event." });

export const REPLAY_META = {
  replay: z
    .object({
      from_cursor: z.string().meta({
        description: "The place that was asked for. Without a cursor the one before all events: it holds while none has been taken away.",
        example: CURSOR,
      }),
      to_cursor: z.string().meta({ description: "The place it ends at; the same as `next_cursor`.", example: CURSOR }),
      from_sequence: z.int().min(0).meta({
        description: "Number of the last trade that pages before this one told of; 0 when there is none.",
        example: 78,
      }),
      to_sequence: z.int().min(0).meta({
        description: "Number of the page's last trade, or `from_sequence` on an empty page.",
        example: 81,
      }),
      ordering: z.literal("commit_visibility_then_id_asc").meta({ description: "Oldest first, in the order they became visible." }),
      pending_beyond_horizon: z.boolean().meta({
        description: "Whether events are recorded that an older open transaction still keeps back. They come later, and none is skipped.",
        example: false,
      }),
      filters: z
        .object({
          trader: z.string().optional().meta({ description: "As it was sent.", example: "trd_12" }),
          condition_id: z.string().optional().meta({ description: "The provider's id of the market.", example: EXAMPLE_CONDITION_ID }),
          min_grade: z.enum(GRADES).optional().meta({ description: "The worst grade that passes.", example: "B" }),
          min_size: z.number().optional().meta({ description: "Least size in dollars.", example: 25_000 }),
        })
        .optional()
        .meta({ description: "The filters of the walk; left out when there are none." }),
      expand: z.array(z.enum(["trade"])).meta({ description: "What was added; empty when nothing was asked for.", example: ["trade"] }),
    })
    .meta({ description: "Which part of the replay this is." }),
  retention: z
    .object({
      status: z.literal("durable_database").meta({ description: "Events are kept in the database." }),
      retained_events: z.int().min(0).meta({ description: "How many events are kept now.", example: 40_218 }),
      cursor_expired: z.literal(false).meta({ description: "A place that is no longer kept is refused with 400 `cursor_expired`." }),
    })
    .meta({ description: "What is kept." }),
  completeness: z
    .object({
      status: z.enum(["complete", "caught_up"]).meta({
        description: "complete: nothing was left out, and more follows. caught_up: nothing further can be read yet.",
        example: "caught_up",
      }),
      reason: z.string().meta({ description: "The same in words.", example: "Everything that is visible by now has been read." }),
    })
    .meta({ description: "How far the page reaches." }),
};

export const REPLAY_TOP_LEVEL = {
  has_more: z.boolean().meta({
    description: "Whether further events can be read now. With filters the next page may have none of them and still go on.",
    example: false,
  }),
  next_cursor: z.string().meta({
    description: "Where to go on. There always is one, also behind the last event, and it moves past events that the filters left out.",
    example: CURSOR,
  }),
};
