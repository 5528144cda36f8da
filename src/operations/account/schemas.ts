import { z } from "zod";

const count = () => z.int().min(0);
const unixSeconds = () => z.int().meta({ description: "Unix seconds." });

export const Usage = z
  .object({
    rate_limit: z
      .object({ used: count(), limit: count(), remaining: count(), reset_at: unixSeconds(), window_seconds: z.literal(60) })
      .meta({ description: "Requests of the last 60 seconds. Reading usage or identity is not among them." }),
    daily_usage: z
      .object({
        used: count(),
        limit: z.int().nullable(),
        remaining: z.int().nullable(),
        reset_at: unixSeconds(),
        window_seconds: z.literal(86_400),
      })
      .meta({ description: "Requests of this UTC day, which has no limit of its own." }),
    monthly_quota: z
      .object({
        used: count(),
        limit: count().meta({ description: "Requests of a UTC month that the subscription includes." }),
        remaining: count().meta({ description: "Included requests that are left." }),
        reset_at: unixSeconds(),
        enforced_from: unixSeconds(),
        binding: z.boolean().meta({ description: "Whether requests beyond the ceiling are refused." }),
        pay_as_you_go: z.boolean(),
        ceiling: z
          .int()
          .nullable()
          .meta({ description: "From how many requests on they are refused: the limit, or more with pay-as-you-go." }),
      })
      .nullable(),
  })
  .meta({ id: "Usage" });

export const AccountIdentity = z
  .object({
    user_id: z.int(),
    credential_id: z.int(),
    credential_kind: z.enum(["api_key", "oauth_grant"]),
    credential_status: z.literal("active"),
    entitlement: z.object({
      paid_data_access: z.enum(["active", "lapsed"]),
      recovery_action: z.enum(["renew_subscription"]).nullable(),
    }),
    scopes: z.array(z.string()).nullable().meta({ description: "Null for a credential with full access." }),
  })
  .meta({ id: "AccountIdentity" });
