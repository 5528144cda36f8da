/** How a reason asks to be retried: `never`, or with a Retry-After of so many seconds unless the error names its own. */
type Retry = "never" | { readonly afterSeconds: number };

interface Row {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retry: Retry;
  /** False for rows that are a bare code: the contract publishes no reason for them, and the body has none. */
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

/** The error catalogue: every way a request can fail is one row here. */
export const ERRORS = {
  bad_request: bare(400, "bad_request", "The request is not valid."),
  invalid_query: row(400, "bad_request", "A query parameter is not valid."),
  unknown_query_parameter: row(400, "bad_request", "A query parameter is not known to this operation."),
  invalid_path: row(400, "bad_request", "A path segment is not valid."),
  invalid_body: row(400, "bad_request", "The body is not the JSON that this operation takes."),
  cursor_expired: row(400, "bad_request", "The list behind this cursor has been rebuilt. Start again from the first page."),
  invalid_api_key: bare(
    401,
    "invalid_api_key",
    "The API key is missing, malformed, expired or revoked. Send it as Authorization: Bearer <key>.",
  ),
  api_key_in_query: row(401, "invalid_api_key", "A key in the URL is refused unchecked. Send it in the Authorization header."),
  sandbox_api_key: row(401, "invalid_api_key", "This is a sandbox key. The live API takes live keys only."),
  subscription_inactive: row(402, "subscription_required", "This account has no active subscription."),
  forbidden: bare(403, "forbidden", "This account has been deleted."),
  max_plan_required: row(403, "forbidden", "This operation needs the Max plan."),
  insufficient_scope: bare(403, "insufficient_scope", "This key does not have the scope that this operation needs."),
  not_found: bare(404, "not_found", "There is no such resource."),
  trader_not_tracked: row(404, "not_found", "This wallet is known, but its fills are not captured."),
  unknown_endpoint: row(404, "not_found", "There is no such endpoint. GET /api/v1 lists what there is."),
  method_not_allowed: row(405, "bad_request", "This endpoint does not take this method. See the Allow header."),
  request_timeout: bare(408, "request_timeout", "The request took longer than 30 seconds.", { afterSeconds: 5 }),
  freshness_ceiling_unsatisfied: row(409, "bad_request", "The stored answer is older than max_age_s allows."),
  default_key_limit_reached: bare(409, "bad_request", "This account has 50 live default keys. Revoke one first."),
  integration_limit_reached: bare(409, "bad_request", "This account has 10 integrations. Revoke one first."),
  integration_name_taken: bare(409, "bad_request", "This account has an integration of this name. Revoke it first."),
  rotation_overlap_active: bare(409, "bad_request", "The last rotation of this integration is less than 15 minutes ago."),
  idempotency_in_progress: row(409, "bad_request", "A request with this Idempotency-Key is still running."),
  idempotency_outcome_lost: bare(
    409,
    "bad_request",
    "The first request with this Idempotency-Key has run, but its outcome can no longer be shown. Nothing was run again.",
  ),
  webhook_delivery_in_progress: row(
    409,
    "bad_request",
    "A delivery to this endpoint is under way. Nothing has been changed; ask again when it has ended, which takes a minute at most.",
  ),
  webhook_secret_rotation_overlap_active: row(
    409,
    "bad_request",
    "Two secrets of this endpoint sign at the moment. Wait for the end of the overlap, or retire the older one.",
  ),
  webhook_secret_rotation_not_prepared: row(409, "bad_request", "This endpoint has no prepared secret."),
  webhook_not_pending: bare(409, "bad_request", "This endpoint does not wait for verification."),
  webhook_not_delivering: bare(409, "bad_request", "This endpoint does not receive deliveries of this event."),
  delivery_not_dead: bare(409, "bad_request", "Only a dead letter can be delivered again; this delivery is not one."),
  payload_too_large: row(413, "bad_request", "The body is larger than 1,048,576 bytes."),
  unsupported_media_type: row(415, "bad_request", "The body must be JSON, sent with Content-Type: application/json."),
  idempotency_key_reused: bare(422, "bad_request", "This Idempotency-Key was first sent with another request."),
  account_locked: bare(423, "account_locked", "This account is locked."),
  // When a budget is there again is known to whoever refuses; the seconds here stand in for the case that it is not said.
  rate_limited: bare(429, "rate_limited", "This account has spent its requests of the minute.", { afterSeconds: 60 }),
  ip_rate_limited: row(429, "rate_limited", "The callers behind this address have spent their shared requests of the minute.", {
    afterSeconds: 60,
  }),
  ip_throttled: row(429, "rate_limited", "This address has kept on asking over its limit. Wait out the whole Retry-After.", {
    afterSeconds: 300,
  }),
  monthly_quota_exceeded: row(429, "rate_limited", "This account has spent its requests of the month.", { afterSeconds: 3600 }),
  internal_error: bare(500, "internal_error", "Something failed on our side. Quote the request id when you report it."),
  credential_store_unavailable: bare(
    503,
    "rate_limit_unavailable",
    "Credentials cannot be changed at the moment. Nothing has been changed.",
    {
      afterSeconds: 5,
    },
  ),
  stream_unavailable: bare(503, "rate_limit_unavailable", "The stream cannot be joined at the moment.", { afterSeconds: 5 }),
  host_lookup_unavailable: bare(503, "rate_limit_unavailable", "Host names cannot be looked up at the moment. Nothing has been changed.", {
    afterSeconds: 5,
  }),
  mail_unavailable: bare(503, "rate_limit_unavailable", "No code can be mailed at the moment.", { afterSeconds: 60 }),
  read_model_warming: row(503, "rate_limit_unavailable", "This list is being prepared.", { afterSeconds: 5 }),
  request_accounting_unavailable: row(503, "rate_limit_unavailable", "The request could not be counted and was not run.", {
    afterSeconds: 1,
  }),
  database_unavailable: row(503, "rate_limit_unavailable", "The database cannot be reached.", { afterSeconds: 5 }),
} as const satisfies Record<string, Row>;

export type Reason = keyof typeof ERRORS;

export interface ErrorDetail {
  /** The offending query name, path segment, header or JSON path. */
  readonly param?: string;
  /** Says more than the catalogue's words. Never carries internals. */
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** In place of `retryAfterSeconds` where the instant itself is known. */
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
  /** For the log alone. */
  readonly cause?: unknown;
}

/** The only error a client meets. */
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
