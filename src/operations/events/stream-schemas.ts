import { z } from "zod";

const SEQ = 1_795_176_000_417;

export const StreamFrame = z
  .looseObject({
    seq: z.int().meta({
      description:
        "Number of the frame on the stream, the same for every client, and equal to the SSE " +
        "`id`. Numbers have no gaps.",
      example: SEQ,
    }),
    published_at: z.iso
      .datetime()
      .meta({ description: "When the frame was put on the stream, UTC.", example: "2026-11-20T12:00:01.250Z" }),
    type: z.string().meta({
      description: "Type of the event, one of the values of the `event` parameter.",
      example: "WhaleTradesInserted",
    }),
  })
  .meta({
    id: "StreamFrame",
    description:
      "Data of a frame without an `event` field. The frame also has the fields of the event: those of " +
      "`data` in the webhook event.",
    example: { seq: SEQ, published_at: "2026-11-20T12:00:01.250Z", type: "WhaleTradesInserted", count: 3 },
  });

export const StreamResyncFrame = z
  .object({
    type: z.literal("resync").meta({ description: "Equal to the frame's `event` field." }),
    completeness: z
      .object({
        status: z.enum(["truncated", "lagged", "reset"]).meta({
          description:
            "truncated: the resume point is older than the kept frames. lagged: the stream itself lost events. " +
            "reset: the resume point is above every issued number.",
          example: "truncated",
        }),
        reason: z.string().meta({ description: "Cause of the gap, in one word.", example: "cursor_expired" }),
      })
      .meta({ description: "Kind and cause of the gap." }),
    from_sequence: z.int().meta({ description: "Last frame number before the gap.", example: SEQ - 60_000 }),
    to_sequence: z
      .int()
      .meta({ description: "First frame number after the gap; the `id` of this frame is one below it.", example: SEQ }),
  })
  .meta({
    id: "StreamResyncFrame",
    description:
      "Data of an `event: resync` frame: the frames between the two numbers cannot be sent. Read the current " +
      "state again and continue.",
  });

export const StreamErrorFrame = z
  .object({
    type: z.literal("error").meta({ description: "Equal to the frame's `event` field." }),
    error: z
      .looseObject({
        code: z.string().meta({ description: "Error code.", example: "invalid_api_key" }),
        message: z.string().meta({
          description: "Message for people.",
          example: "The API key is missing, malformed, expired or revoked.",
        }),
      })
      .meta({ description: "Error that a reconnect would return: the `error` of `Error`." }),
    retry: z.boolean().meta({
      description:
        "true: reconnect after `error.retry_at`, from the `id` of this frame. false: a reconnect is refused.",
      example: false,
    }),
  })
  .meta({
    id: "StreamErrorFrame",
    description: "Data of an `event: error` frame, the last of a stream that the server ends.",
  });
