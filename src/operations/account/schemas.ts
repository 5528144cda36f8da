import { z } from "zod";

const requests = (description: string, example: number) => z.int().min(0).meta({ description, example });
const unixSeconds = (description: string, example: number) => z.int().meta({ description: `${description} Unix seconds.`, example });

export const Usage = z
  .object({
    rate_limit: z
      .object({
        used: requests("Requests counted.", 12),
        limit: requests("Requests allowed within the window.", 100),
        remaining: requests("Requests left.", 88),
        reset_at: unixSeconds("When the oldest of them leaves the window.", 1_795_176_060),
        window_seconds: z.literal(60).meta({ description: "Length of the window in seconds." }),
      })
      .meta({ description: "Requests of the last 60 seconds. Reading usage or identity is not among them." }),
    daily_usage: z
      .object({
        used: requests("Requests of the day.", 1_840),
        limit: z.int().nullable().meta({ description: "Always null: a day has no limit of its own.", example: null }),
        remaining: z.int().nullable().meta({ description: "Always null, as the limit is.", example: null }),
        reset_at: unixSeconds("When the next UTC day begins.", 1_795_219_200),
        window_seconds: z.literal(86_400).meta({ description: "Length of the day in seconds." }),
      })
      .meta({ description: "Requests of this UTC day." }),
    monthly_quota: z
      .object({
        used: requests("Requests of this UTC month.", 31_207),
        limit: requests("Requests of a UTC month that the subscription includes.", 250_000),
        remaining: requests("Included requests that are left.", 218_793),
        reset_at: unixSeconds("When the next UTC month begins.", 1_796_083_200),
        enforced_from: unixSeconds("Since when the ceiling is enforced.", 1_793_491_200),
        binding: z.boolean().meta({ description: "Whether requests beyond the ceiling are refused.", example: true }),
        pay_as_you_go: z.boolean().meta({ description: "Whether the account pays for requests beyond the included ones.", example: false }),
        ceiling: z.int().nullable().meta({
          description: "From how many requests on they are refused: the limit, or more with pay-as-you-go. Null: never.",
          example: 250_000,
        }),
      })
      .nullable()
      .meta({ description: "Requests of this UTC month. Null when they could not be counted." }),
  })
  .meta({ id: "Usage", description: "What an account has used of its budgets, counted over all of its keys." });

export const AccountIdentity = z
  .object({
    user_id: z.int().meta({ description: "Number of the account.", example: 41 }),
    credential_id: z.int().meta({ description: "Number of the key that was sent.", example: 7 }),
    credential_kind: z.enum(["api_key", "oauth_grant"]).meta({
      description: "api_key: a key of the account. oauth_grant: access that its owner gave to an application.",
      example: "api_key",
    }),
    credential_status: z.literal("active").meta({ description: "Always active: any other credential is refused." }),
    entitlement: z
      .object({
        paid_data_access: z.enum(["active", "lapsed"]).meta({
          description: "active: operations that need a subscription answer. lapsed: they are refused with 402.",
          example: "active",
        }),
        recovery_action: z.enum(["renew_subscription"]).nullable().meta({
          description: "What brings access back. Null while it is active.",
          example: null,
        }),
      })
      .meta({ description: "What the account's subscription allows." }),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({
        description: "What the credential may do: read, webhooks, export, usage. Null: everything.",
        example: ["read", "usage"],
      }),
  })
  .meta({ id: "AccountIdentity", description: "Whose credential was sent, and what it may do." });
