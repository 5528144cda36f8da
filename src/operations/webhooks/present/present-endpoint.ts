import type { z } from "zod";
import { DISABLE_AFTER_FAILURES } from "../../../webhooks/rules/delivery-state.ts";
import { MAX_ATTEMPTS, RETRY_HORIZON_SECONDS } from "../../../webhooks/rules/retry-schedule.ts";
import type { EndpointRow } from "../../../queries/webhooks/endpoint-row.ts";
import type { WebhookEndpointResource } from "../schemas/schemas.ts";

/** Secrets that only the response that creates them shows. */
export interface OneTimeSecrets {
  readonly signingSecret?: string | null;
  readonly verification?: { readonly token: string; readonly expiresAt: Date } | null;
}

export function presentEndpoint(
  row: EndpointRow,
  { signingSecret, verification }: OneTimeSecrets = {},
): z.input<typeof WebhookEndpointResource> {
  return {
    id: row.id,
    object: "webhook",
    name: row.name,
    url: row.url,
    event_types: row.event_types,
    trade_filters: row.trade_filters,
    status: row.status,
    verified_at: row.verified_at,
    verification_token_expires_at: row.verification_expires_at,
    failure_count: row.failure_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    retry_policy: {
      max_attempts: MAX_ATTEMPTS,
      terminal_status: "dead_letter",
      retry_horizon_seconds: RETRY_HORIZON_SECONDS,
      disable_after_consecutive_failures: DISABLE_AFTER_FAILURES,
    },
    secret_rotation: {
      status: row.overlap_expires_at !== null ? "overlap" : row.is_staged ? "pending" : "idle",
      overlap_expires_at: row.overlap_expires_at,
    },
    ...(signingSecret == null ? {} : { signing_secret: signingSecret }),
    ...(verification == null
      ? {}
      : { verification: { token: verification.token, expires_at: verification.expiresAt.toISOString() } }),
  };
}
