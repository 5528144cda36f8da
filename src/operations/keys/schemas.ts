import { z } from "zod";
import { SCOPES } from "../../domain/accounts/accounts.ts";

export const MAX_LIFETIME_DAYS = 90;

/** A display name without control characters and surrounding whitespace. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  // The range of \p{Cc}, which patterns without the flag `u` know too: JSON Schema tools use such patterns.
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "Control characters are not allowed")
  .meta({
    description: "Name for display, 1 to 100 characters without control characters. Surrounding spaces are removed.",
    example: "Laptop",
  });

const scopesOf = (description: string) => z.array(z.enum(SCOPES)).meta({ description, example: ["read"] });
const number = (of: string, example: number) => z.int().meta({ description: `Number of the ${of}.`, example });
const instant = (description: string, example = "2026-11-20T12:00:00.000Z") =>
  z.iso.datetime().meta({ description: `${description} UTC.`, example });
const instantOrNull = (description: string) =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description: `${description} UTC.`, example: null });

const newKey = z
  .string()
  .nullable()
  .meta({
    description: "The key. No other response shows it: null in a repeat with the same Idempotency-Key.",
    example: `svc_sk_live_${"0123456789abcdef".repeat(4)}`,
  });
const prefix = z.string().meta({ description: "First characters of the key.", example: "svc_sk_live_01234567" });
const keyName = z.string().nullable().meta({ description: "Name for display; null without one.", example: "Laptop" });
const integrationName = z.string().meta({ description: "Name of the integration.", example: "Trade bot" });
const createdAt = instant("When it was created.");
const revokedAt = instant("When it was revoked.");
const expiresAt = instant("When the key expires.", "2027-02-18T12:00:00.000Z");
const scopes = scopesOf("Scopes of the key.");
const lastUsedAt = instantOrNull("When the last counted request was stored; null before the first.");

/** The body of a request without parameters. */
export const EmptyBody = z
  .strictObject({})
  .meta({ id: "EmptyBody", description: "An object without fields.", examples: [{}] });

export const CreateApiKeyRequest = z
  .strictObject({ name: name.optional() })
  .meta({ id: "CreateApiKeyRequest", description: "A new default key.", examples: [{ name: "Laptop" }] });

export const CreateIntegrationKeyRequest = z
  .strictObject({
    name,
    scopes: scopesOf("Scopes of the key, at least one, each at most once.")
      .min(1)
      .refine((values) => new Set(values).size === values.length, "Scopes must not repeat"),
    expires_in_days: z
      .int()
      .min(1)
      .max(MAX_LIFETIME_DAYS)
      .default(MAX_LIFETIME_DAYS)
      .meta({ description: "Lifetime of the key in days. A rotation starts it again.", example: 90 }),
  })
  .meta({
    id: "CreateIntegrationKeyRequest",
    description: "A new integration.",
    examples: [{ name: "Trade bot", scopes: ["read"], expires_in_days: 90 }],
  });

export const ApiKey = z
  .object({
    id: number("key", 12),
    name: keyName,
    prefix,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    revoked_at: instantOrNull("When it was revoked; null while it is valid."),
  })
  .meta({ id: "ApiKey", description: "A default key, without the key itself." });

export const NewApiKey = z
  .object({ id: number("key", 12), name: keyName, api_key: newKey, prefix, created_at: createdAt })
  .meta({ id: "NewApiKey", description: "A new default key." });

export const RevokedApiKey = z
  .object({ id: number("key", 12), revoked_at: revokedAt })
  .meta({ id: "RevokedApiKey", description: "A revoked default key." });

export const RegeneratedApiKey = z
  .object({
    id: number("key", 12),
    api_key: newKey,
    prefix,
    created_at: createdAt,
    revoked_count: z.int().min(0).meta({ description: "Number of default keys that it replaces.", example: 2 }),
  })
  .meta({ id: "RegeneratedApiKey", description: "The only valid default key after a regeneration." });

export const IntegrationKey = z
  .object({
    id: number("integration", 4),
    name: integrationName,
    scopes,
    prefix: prefix.meta({ description: "First characters of the newest key.", example: "svc_sk_live_01234567" }),
    expires_at: expiresAt,
    previous_prefix: z.string().nullable().meta({
      description: "First characters of the key that the last rotation replaced, while it works; else null.",
      example: null,
    }),
    overlap_ends_at: instantOrNull("When the previous key stops working; null when there is none."),
    created_at: createdAt,
    revoked_at: instantOrNull("When it was revoked; null while it is not."),
    last_used_at: lastUsedAt,
    month_requests: z.int().min(0).meta({
      description: "Requests in this UTC month, over all keys of the integration.",
      example: 534,
    }),
    usage_refreshed_at: instant("When the usage was read. It is at most five minutes old."),
  })
  .meta({ id: "IntegrationKey", description: "An integration, without its key." });

export const NewIntegrationKey = z
  .object({
    id: number("integration", 4),
    name: integrationName,
    api_key: newKey,
    prefix,
    scopes,
    expires_at: expiresAt,
  })
  .meta({ id: "NewIntegrationKey", description: "A new integration." });

export const RotatedIntegrationKey = z
  .object({
    id: number("integration", 4),
    expires_at: expiresAt,
    overlap_ends_at: instant("When the previous key stops working.", "2026-11-20T12:15:00.000Z"),
    api_key: newKey,
    prefix,
  })
  .meta({ id: "RotatedIntegrationKey", description: "The new key of an integration." });

export const RevokedIntegrationKey = z
  .object({ id: number("integration", 4), revoked_at: revokedAt })
  .meta({ id: "RevokedIntegrationKey", description: "A revoked integration." });
