import { z } from "zod";

const SEQ = 1_795_176_000_417;

export const StreamFrame = z
  .looseObject({
    seq: z.int().meta({
      description:
        "The frame's number on the stream, the same for everybody; equals the SSE `id`. Numbers follow each other without a gap.",
      example: SEQ,
    }),
    published_at: z.iso.datetime().meta({ description: "When it was put on the stream, UTC.", example: "2026-11-20T12:00:01.250Z" }),
    type: z.string().meta({ description: "What it tells of; the names that `event` takes.", example: "WhaleTradesInserted" }),
  })
  .meta({
    id: "StreamFrame",
    description:
      "Data of a frame without an `event` field. The event's own fields stand beside these: those of the webhook event's `data`.",
    example: { seq: SEQ, published_at: "2026-11-20T12:00:01.250Z", type: "WhaleTradesInserted", count: 3 },
  });

export const StreamResyncFrame = z
  .object({
    type: z.literal("resync").meta({ description: "The same as the frame's `event` field." }),
    completeness: z
      .object({
        status: z.enum(["truncated", "lagged", "reset"]).meta({
          description:
            "truncated: the resume point is older than what is kept. lagged: the stream itself lost events. reset: the resume point is above every number that was given out.",
          example: "truncated",
        }),
        reason: z.string().meta({ description: "What it came from, in one word.", example: "cursor_expired" }),
      })
      .meta({ description: "What kind of gap it is." }),
    from_sequence: z.int().meta({ description: "The last number before what is missing.", example: SEQ - 60_000 }),
    to_sequence: z.int().meta({ description: "The first number that follows; the marker's own `id` is one below it.", example: SEQ }),
  })
  .meta({
    id: "StreamResyncFrame",
    description: "Data of an `event: resync` frame: frames between the two numbers cannot be sent. Read the present state anew and go on.",
  });

export const StreamErrorFrame = z
  .object({
    type: z.literal("error").meta({ description: "The same as the frame's `event` field." }),
    error: z
      .looseObject({
        code: z.string().meta({ description: "The kind of failure.", example: "invalid_api_key" }),
        message: z
          .string()
          .meta({ description: "The same for people.", example: "The API key is missing, malformed, expired or revoked." }),
      })
      .meta({ description: "What a reconnect would be answered with: the `error` of `Error`." }),
    retry: z.boolean().meta({
      description: "Whether to reconnect, after `error.retry_at`, from this frame's `id`. False: a reconnect is refused.",
      example: false,
    }),
  })
  .meta({ id: "StreamErrorFrame", description: "Data of an `event: error` frame, the last of a stream that the server ends." });
