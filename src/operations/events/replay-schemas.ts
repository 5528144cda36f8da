import { z } from "zod";
import { GRADES } from "../../domain/traders/grades.ts";
import { conditionId, EXAMPLE_CONDITION_ID, EXAMPLE_WALLET_ADDRESS } from "../shared-fields.ts";
import { LargeTrade } from "../large-trades/schemas.ts";

const CURSOR = "evr_eyJleGFtcGxlIjoxfQ.c2lnbmVk";

const EventReplaySource = z
  .object({
    kind: z.literal("local_durable_replay").meta({ description: "Replay of stored events." }),
    producer_family: z
      .literal("whale_trades")
      .meta({ description: "A constant of the format: the family of the events." }),
    owner: z.literal("whale_alerts").meta({ description: "A constant of the format: the stored large trades." }),
    provider_fetch_at_request_time: z.literal(false).meta({ description: "The response never calls the provider." }),
  })
  .meta({ id: "EventReplaySource", description: "Source of the event." });

const EventReplayFreshness = z
  .object({
    status: z.literal("observed").meta({ description: "The event was observed, not derived later." }),
    observed_at: z.iso
      .datetime()
      .meta({ description: "When the event was recorded, UTC.", example: "2026-11-20T12:00:04.120Z" }),
  })
  .meta({ id: "EventReplayFreshness", description: "How the event became known." });

export const EventReplayEvent = z
  .object({
    id: z.string().meta({
      description: "The event's ef_ id. The same id is the same trade, also after a restore of the database.",
      example: "ef_5b0f7c2d9e310a6801d2c3e4f5061728",
    }),
    type: z.literal("whale_trades_inserted").meta({ description: "A large trade was recorded." }),
    cursor: z.string().meta({ description: "Cursor that continues directly after this event.", example: CURSOR }),
    sequence: z.int().min(1).meta({
      description:
        "Row number of the trade. It is not the order of the events: events are sorted by when they became visible.",
      example: 81,
    }),
    published_at: z.iso
      .datetime()
      .meta({ description: "When the event was recorded, UTC.", example: "2026-11-20T12:00:04.120Z" }),
    payload: z
      .object({
        count: z.int().min(1).meta({ description: "Number of trades in the event.", example: 1 }),
        whale_alert_id: z.int().min(1).meta({ description: "Row number of the trade: 81 is wt_81.", example: 81 }),
        condition_id: conditionId,
        trader_id: z.int().meta({ description: "Row number of the trader: 12 is trd_12.", example: 12 }),
        platform: z.literal("polymarket").meta({ description: "The provider." }),
      })
      .meta({ description: "Data of the event." }),
    trade: LargeTrade.nullable()
      .optional()
      .meta({
        description:
          "The current large trade, as its own operation returns it; null when it no longer exists. " +
          "Only with `expand=trade`.",
      }),
    source: EventReplaySource,
    freshness: EventReplayFreshness,
  })
  .meta({ id: "EventReplayEvent", description: "One recorded event." });

export const REPLAY_META = {
  replay: z
    .object({
      from_cursor: z.string().meta({
        description:
          "The cursor of the request. Without a cursor, the position before all events, which is valid until " +
          "the oldest event is removed.",
        example: CURSOR,
      }),
      to_cursor: z
        .string()
        .meta({ description: "Cursor at the end of the page, equal to `next_cursor`.", example: CURSOR }),
      from_sequence: z.int().min(0).meta({
        description: "Row number of the last trade on earlier pages; 0 when there is none.",
        example: 78,
      }),
      to_sequence: z.int().min(0).meta({
        description: "Row number of the last trade on the page, or `from_sequence` on an empty page.",
        example: 81,
      }),
      ordering: z
        .literal("commit_visibility_then_id_asc")
        .meta({ description: "Oldest first, in the order in which events became visible." }),
      pending_beyond_horizon: z.boolean().meta({
        description:
          "Whether recorded events wait for an older open transaction. They appear on a later page; none is skipped.",
        example: false,
      }),
      filters: z
        .object({
          trader: z.string().optional().meta({ description: "The `trader` parameter as sent.", example: "trd_12" }),
          condition_id: z
            .string()
            .optional()
            .meta({ description: "The provider's market id.", example: EXAMPLE_CONDITION_ID }),
          min_grade: z.enum(GRADES).optional().meta({ description: "The lowest grade that matches.", example: "B" }),
          min_size: z.number().optional().meta({ description: "Minimum size in dollars.", example: 25_000 }),
          wallet: z
            .array(z.string())
            .optional()
            .meta({
              description: "The wallet addresses in lower case, each once.",
              examples: [[EXAMPLE_WALLET_ADDRESS]],
            }),
          watchlist: z.string().optional().meta({ description: "The watchlist's wl_ id.", example: "wl_5" }),
        })
        .optional()
        .meta({ description: "Filters of the replay; left out when there are none." }),
      expand: z
        .array(z.enum(["trade"]))
        .meta({ description: "Expanded fields; empty when none were requested.", example: ["trade"] }),
    })
    .meta({ description: "Range and filters of the page." }),
  retention: z
    .object({
      status: z.literal("durable_database").meta({ description: "Events are stored in the database." }),
      retained_events: z
        .int()
        .min(0)
        .meta({ description: "Number of events that are currently kept.", example: 40_218 }),
      cursor_expired: z
        .literal(false)
        .meta({ description: "Always false: an expired cursor returns 400 `cursor_expired`." }),
    })
    .meta({ description: "Retention of events." }),
  completeness: z
    .object({
      status: z.enum(["complete", "caught_up"]).meta({
        description:
          "complete: the page has no gaps, and more events follow. caught_up: no further events are readable yet.",
        example: "caught_up",
      }),
      reason: z
        .string()
        .meta({ description: "The status as text.", example: "Everything that is visible by now has been read." }),
    })
    .meta({ description: "Completeness of the page." }),
};

export const REPLAY_TOP_LEVEL = {
  has_more: z.boolean().meta({
    description:
      "Whether further events are readable now. With filters, the next page can be empty and still have a next page.",
    example: false,
  }),
  next_cursor: z.string().meta({
    description:
      "Cursor of the next page. Always present, also after the last event. It advances past events that " +
      "do not match the filters.",
    example: CURSOR,
  }),
};
