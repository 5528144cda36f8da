import { z } from "zod";

const requests = (description: string, example: number) => z.int().min(0).meta({ description, example });
const unixSeconds = (description: string, example: number) =>
  z.int().meta({ description: `${description}, in Unix seconds.`, example });

export const Usage = z
  .object({
    rate_limit: z
      .object({
        used: requests("Requests counted in the window.", 12),
        limit: requests("Requests allowed within the window.", 100),
        remaining: requests("Requests left in the window.", 88),
        reset_at: unixSeconds("When the oldest counted request leaves the window", 1_795_176_060),
        window_seconds: z.literal(60).meta({ description: "Length of the window in seconds." }),
      })
      .meta({ description: "Requests in the last 60 seconds. Requests for usage or identity are not counted." }),
    daily_usage: z
      .object({
        used: requests("Requests on the day.", 1_840),
        limit: z.int().nullable().meta({ description: "Always null: there is no daily limit.", example: null }),
        remaining: z.int().nullable().meta({ description: "Always null: there is no daily limit.", example: null }),
        reset_at: unixSeconds("When the next UTC day begins", 1_795_219_200),
        window_seconds: z.literal(86_400).meta({ description: "Length of the day in seconds." }),
      })
      .meta({ description: "Requests on this UTC day." }),
    monthly_quota: z
      .object({
        used: requests("Requests in this UTC month.", 31_207),
        limit: requests("Requests per UTC month that the subscription includes.", 250_000),
        remaining: requests("Included requests that are left.", 218_793),
        reset_at: unixSeconds("When the next UTC month begins", 1_796_083_200),
        enforced_from: unixSeconds("Time from which the ceiling is enforced", 1_793_491_200),
        binding: z.boolean().meta({ description: "Whether requests beyond the ceiling are refused.", example: true }),
        pay_as_you_go: z
          .boolean()
          .meta({ description: "Whether the account pays for requests beyond the included ones.", example: false }),
        ceiling: z
          .int()
          .nullable()
          .meta({
            description:
              "Number of requests per UTC month after which requests are refused: the limit, or more with " +
              "pay-as-you-go. Null when requests are never refused.",
            example: 250_000,
          }),
      })
      .nullable()
      .meta({ description: "Quota of this UTC month. Null when the requests could not be counted." }),
  })
  .meta({ id: "Usage", description: "Budget usage of an account, over all of its API keys." });

export const AccountIdentity = z
  .object({
    user_id: z.int().meta({ description: "Account number.", example: 41 }),
    credential_id: z.int().meta({ description: "Number of the API key in the request.", example: 7 }),
    credential_kind: z.enum(["api_key", "oauth_grant"]).meta({
      description:
        "api_key: an API key of the account. oauth_grant: access that the account owner granted to an application.",
      example: "api_key",
    }),
    credential_status: z.literal("active").meta({ description: "Always active: any other credential is refused." }),
    entitlement: z
      .object({
        paid_data_access: z.enum(["active", "lapsed"]).meta({
          description: "active: operations that need a subscription are available. lapsed: they return 402.",
          example: "active",
        }),
        recovery_action: z.enum(["renew_subscription"]).nullable().meta({
          description: "Action that restores access. Null while access is active.",
          example: null,
        }),
      })
      .meta({ description: "What the account's subscription allows." }),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({
        description: "Scopes of the credential: read, webhooks, export, usage. Null when it has all scopes.",
        example: ["read", "usage"],
      }),
  })
  .meta({ id: "AccountIdentity", description: "Owner and permissions of the credential in the request." });
