/**
 * Retry advice of a reason: `never`, or the default Retry-After in seconds where the error sets none of its
 * own.
 */
export type Retry =
  | "never"
  | {
      readonly afterSeconds: number;
      /** Each response adds a random number of seconds up to this one: clients that failed together come back apart. */
      readonly spreadSeconds?: number;
    };

interface Row {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retry: Retry;
  /** False for rows without a published reason: the body then carries the code only. */
  readonly published: boolean;
}

const row = (status: number, code: string, message: string, retry: Retry = "never"): Row => ({
  status,
  code,
  message,
  retry,
  published: true,
});
const bare = (status: number, code: string, message: string, retry: Retry = "never"): Row => ({
  ...row(status, code, message, retry),
  published: false,
});

/** Retry advice while a service is away. */
const UNAVAILABLE = { afterSeconds: 5, spreadSeconds: 5 } as const;

/** The error catalogue: one row for every way a request can fail. */
export const ERRORS = {
  bad_request: bare(400, "bad_request", "The request is not valid."),
  invalid_query: row(400, "bad_request", "A query parameter is not valid."),
  unknown_query_parameter: row(400, "bad_request", "This operation does not have this query parameter."),
  invalid_path: row(400, "bad_request", "A path segment is not valid."),
  invalid_body: row(400, "bad_request", "The body is not valid JSON, or does not match the schema of this operation."),
  cursor_expired: row(
    400,
    "bad_request",
    "The list behind this cursor has been rebuilt. Request the first page again.",
  ),
  invalid_api_key: bare(
    401,
    "invalid_api_key",
    "The API key is missing, malformed, expired or revoked. Send it as Authorization: Bearer <key>.",
  ),
  api_key_in_query: row(
    401,
    "invalid_api_key",
    "API keys in the URL are not accepted. Send the key in the Authorization header.",
  ),
  sandbox_api_key: row(401, "invalid_api_key", "This is a sandbox key. The live API accepts live keys only."),
  subscription_inactive: row(402, "subscription_required", "This account has no active subscription."),
  forbidden: bare(403, "forbidden", "This account has been deleted."),
  max_plan_required: row(403, "forbidden", "This operation requires the Max plan."),
  insufficient_scope: bare(403, "insufficient_scope", "This key does not have the scope that this operation requires."),
  not_found: bare(404, "not_found", "The resource does not exist."),
  // The operation provides the retry time. The seconds here are the fallback.
  pick_not_released: row(404, "not_found", "No pick of this day is released yet.", { afterSeconds: 900 }),
  trader_not_tracked: row(404, "not_found", "This trader is known, but not tracked: its fills are not recorded."),
  unknown_endpoint: row(404, "not_found", "This endpoint does not exist. GET /api/v1 lists all endpoints."),
  method_not_allowed: row(405, "bad_request", "This endpoint does not support this method. See the Allow header."),
  request_timeout: bare(408, "request_timeout", "The request took longer than 30 seconds.", { afterSeconds: 5 }),
  freshness_ceiling_unsatisfied: row(409, "bad_request", "The stored data is older than max_age_s allows."),
  default_key_limit_reached: bare(409, "bad_request", "This account has 50 live default keys. Revoke one first."),
  integration_limit_reached: bare(409, "bad_request", "This account has 10 integrations. Revoke one first."),
  integration_name_taken: bare(
    409,
    "bad_request",
    "This account already has an integration with this name. Revoke it first.",
  ),
  watchlist_limit_reached: bare(409, "bad_request", "This account has 20 watchlists. Delete one first."),
  watchlist_in_use: bare(
    409,
    "bad_request",
    "A webhook endpoint filters by this watchlist. Change or delete the endpoint first.",
  ),
  rotation_overlap_active: bare(
    409,
    "bad_request",
    "The last rotation of this integration is less than 15 minutes ago.",
  ),
  idempotency_in_progress: row(409, "bad_request", "A request with this Idempotency-Key is still running."),
  idempotency_outcome_lost: bare(
    409,
    "bad_request",
    "The first request with this Idempotency-Key has run, but its outcome cannot be read. Nothing was run again.",
  ),
  webhook_delivery_in_progress: row(
    409,
    "bad_request",
    "A delivery to this endpoint is in progress. Nothing was changed. Retry when it has ended, within one minute.",
  ),
  webhook_secret_rotation_overlap_active: row(
    409,
    "bad_request",
    "Two secrets of this endpoint are active. Wait for the end of the overlap, or retire the older secret.",
  ),
  webhook_secret_rotation_not_prepared: row(409, "bad_request", "This endpoint has no prepared secret."),
  webhook_not_pending: bare(409, "bad_request", "This endpoint is not waiting for verification."),
  webhook_not_delivering: bare(409, "bad_request", "This endpoint does not receive deliveries of this event."),
  delivery_not_dead: bare(409, "bad_request", "Only a dead letter can be redelivered. This delivery is not one."),
  export_expired: row(410, "not_found", "The file has expired and was deleted. Submit the request again."),
  operation_retired: bare(410, "not_found", "This operation is retired. The Link header has its successor."),
  payload_too_large: row(413, "bad_request", "The body is larger than 1,048,576 bytes."),
  unsupported_media_type: row(415, "bad_request", "The body must be JSON, sent with Content-Type: application/json."),
  idempotency_key_reused: bare(422, "bad_request", "This Idempotency-Key was already used with a different request."),
  account_locked: bare(423, "account_locked", "This account is locked."),
  // The limiter usually provides the exact retry time. The seconds here are the fallback.
  rate_limited: bare(429, "rate_limited", "This account has used its requests for this minute.", { afterSeconds: 60 }),
  ip_rate_limited: row(
    429,
    "rate_limited",
    "The callers behind this IP address have used their shared requests for this minute.",
    {
      afterSeconds: 60,
    },
  ),
  ip_throttled: row(
    429,
    "rate_limited",
    "This IP address has repeatedly exceeded its limit. Wait for the full Retry-After.",
    {
      afterSeconds: 300,
    },
  ),
  monthly_quota_exceeded: row(429, "rate_limited", "This account has used its requests for this month.", {
    afterSeconds: 3600,
  }),
  internal_error: bare(500, "internal_error", "An internal error occurred. Include the request id when you report it."),
  credential_store_unavailable: bare(
    503,
    "rate_limit_unavailable",
    "Credentials cannot be changed at the moment. Nothing was changed.",
    UNAVAILABLE,
  ),
  stream_unavailable: bare(503, "rate_limit_unavailable", "The stream is not available at the moment.", UNAVAILABLE),
  host_lookup_unavailable: bare(
    503,
    "rate_limit_unavailable",
    "Host names cannot be resolved at the moment. Nothing was changed.",
    UNAVAILABLE,
  ),
  mail_unavailable: bare(503, "rate_limit_unavailable", "Sign-in codes cannot be mailed at the moment.", {
    afterSeconds: 30,
    spreadSeconds: 30,
  }),
  read_model_warming: row(503, "rate_limit_unavailable", "This list is being built.", UNAVAILABLE),
  request_accounting_unavailable: row(
    503,
    "rate_limit_unavailable",
    "Usage accounting is not available, so the request was not run.",
    {
      afterSeconds: 1,
      spreadSeconds: 4,
    },
  ),
  database_unavailable: row(503, "rate_limit_unavailable", "The database cannot be reached.", UNAVAILABLE),
} as const satisfies Record<string, Row>;

export type Reason = keyof typeof ERRORS;

export interface ErrorDetail {
  /** The query parameter, path segment, header or JSON path at fault. */
  readonly param?: string;
  /** Replaces the message of the catalogue with a more precise one. Never contains internals. */
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** Takes precedence over `retryAfterSeconds` where the exact time is known. */
  readonly retryAt?: Date;
  /** Only with `freshness_ceiling_unsatisfied`. */
  readonly freshness?: {
    readonly max_age_s: number;
    readonly data_quality_status: string;
    readonly actual_age_s?: number;
    readonly as_of?: string;
  };
  /** Extra response headers: Allow, WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged only, never sent. */
  readonly cause?: unknown;
}

/** The only error type that is presented to clients. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly reason: Reason;
  readonly detail: ErrorDetail;

  constructor(reason: Reason, detail: ErrorDetail = {}) {
    super(detail.message ?? ERRORS[reason].message, { cause: detail.cause });
    this.reason = reason;
    this.detail = detail;
  }
}
