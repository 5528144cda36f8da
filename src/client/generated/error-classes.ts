/* Written by npm run openapi from the error catalogue. */
import { ApiError } from "../api-error.ts";

/** 400: The request is not valid. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}
/** 401: The API key is missing, malformed, expired or revoked. Send it as Authorization: Bearer <key>. */
export class InvalidApiKeyError extends ApiError {
  override name = "InvalidApiKeyError";
}
export class SubscriptionRequiredError extends ApiError {
  override name = "SubscriptionRequiredError";
}
/** 403: This account has been deleted. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}
/** 403: This key does not have the scope that this operation requires. */
export class InsufficientScopeError extends ApiError {
  override name = "InsufficientScopeError";
}
/** 404: The resource does not exist. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}
/** 408: The request took longer than 30 seconds. */
export class RequestTimeoutError extends ApiError {
  override name = "RequestTimeoutError";
}
/** 423: This account is locked. */
export class AccountLockedError extends ApiError {
  override name = "AccountLockedError";
}
/** 429: This account has used its requests for this minute. */
export class RateLimitedError extends ApiError {
  override name = "RateLimitedError";
}
/** 500: An internal error occurred. Include the request id when you report it. */
export class InternalError extends ApiError {
  override name = "InternalError";
}
export class RateLimitUnavailableError extends ApiError {
  override name = "RateLimitUnavailableError";
}
/** 400: A query parameter is not valid. */
export class InvalidQueryError extends BadRequestError {
  override name = "InvalidQueryError";
}
/** 400: This operation does not have this query parameter. */
export class UnknownQueryParameterError extends BadRequestError {
  override name = "UnknownQueryParameterError";
}
/** 400: A path segment is not valid. */
export class InvalidPathError extends BadRequestError {
  override name = "InvalidPathError";
}
/** 400: The body is not valid JSON, or does not match the schema of this operation. */
export class InvalidBodyError extends BadRequestError {
  override name = "InvalidBodyError";
}
/** 400: The list behind this cursor has been rebuilt. Request the first page again. */
export class CursorExpiredError extends BadRequestError {
  override name = "CursorExpiredError";
}
/** 401: API keys in the URL are not accepted. Send the key in the Authorization header. */
export class ApiKeyInQueryError extends InvalidApiKeyError {
  override name = "ApiKeyInQueryError";
}
/** 401: This is a sandbox key. The live API accepts live keys only. */
export class SandboxApiKeyError extends InvalidApiKeyError {
  override name = "SandboxApiKeyError";
}
/** 402: This account has no active subscription. */
export class SubscriptionInactiveError extends SubscriptionRequiredError {
  override name = "SubscriptionInactiveError";
}
/** 403: This operation requires the Max plan. */
export class MaxPlanRequiredError extends ForbiddenError {
  override name = "MaxPlanRequiredError";
}
/** 404: No pick of this day is released yet. */
export class PickNotReleasedError extends NotFoundError {
  override name = "PickNotReleasedError";
}
/** 404: This trader is known, but not tracked: its fills are not recorded. */
export class TraderNotTrackedError extends NotFoundError {
  override name = "TraderNotTrackedError";
}
/** 404: This endpoint does not exist. GET /api/v1 lists all endpoints. */
export class UnknownEndpointError extends NotFoundError {
  override name = "UnknownEndpointError";
}
/** 405: This endpoint does not support this method. See the Allow header. */
export class MethodNotAllowedError extends BadRequestError {
  override name = "MethodNotAllowedError";
}
/** 409: The stored data is older than max_age_s allows. */
export class FreshnessCeilingUnsatisfiedError extends BadRequestError {
  override name = "FreshnessCeilingUnsatisfiedError";
}
/** 409: A request with this Idempotency-Key is still running. */
export class IdempotencyInProgressError extends BadRequestError {
  override name = "IdempotencyInProgressError";
}
/** 409: A delivery to this endpoint is in progress. Nothing was changed. Retry when it has ended, within one minute. */
export class WebhookDeliveryInProgressError extends BadRequestError {
  override name = "WebhookDeliveryInProgressError";
}
/** 409: Two secrets of this endpoint are active. Wait for the end of the overlap, or retire the older secret. */
export class WebhookSecretRotationOverlapActiveError extends BadRequestError {
  override name = "WebhookSecretRotationOverlapActiveError";
}
/** 409: This endpoint has no prepared secret. */
export class WebhookSecretRotationNotPreparedError extends BadRequestError {
  override name = "WebhookSecretRotationNotPreparedError";
}
/** 410: The file has expired and was deleted. Submit the request again. */
export class ExportExpiredError extends NotFoundError {
  override name = "ExportExpiredError";
}
/** 413: The body is larger than 1,048,576 bytes. */
export class PayloadTooLargeError extends BadRequestError {
  override name = "PayloadTooLargeError";
}
/** 415: The body must be JSON, sent with Content-Type: application/json. */
export class UnsupportedMediaTypeError extends BadRequestError {
  override name = "UnsupportedMediaTypeError";
}
/** 429: The callers behind this IP address have used their shared requests for this minute. */
export class IpRateLimitedError extends RateLimitedError {
  override name = "IpRateLimitedError";
}
/** 429: This IP address has repeatedly exceeded its limit. Wait for the full Retry-After. */
export class IpThrottledError extends RateLimitedError {
  override name = "IpThrottledError";
}
/** 429: This account has used its requests for this month. */
export class MonthlyQuotaExceededError extends RateLimitedError {
  override name = "MonthlyQuotaExceededError";
}
/** 503: This list is being built. */
export class ReadModelWarmingError extends RateLimitUnavailableError {
  override name = "ReadModelWarmingError";
}
/** 503: Usage accounting is not available, so the request was not run. */
export class RequestAccountingUnavailableError extends RateLimitUnavailableError {
  override name = "RequestAccountingUnavailableError";
}
/** 503: The database cannot be reached. */
export class DatabaseUnavailableError extends RateLimitUnavailableError {
  override name = "DatabaseUnavailableError";
}

export const ERRORS_BY_CODE = {
  bad_request: BadRequestError,
  invalid_api_key: InvalidApiKeyError,
  subscription_required: SubscriptionRequiredError,
  forbidden: ForbiddenError,
  insufficient_scope: InsufficientScopeError,
  not_found: NotFoundError,
  request_timeout: RequestTimeoutError,
  account_locked: AccountLockedError,
  rate_limited: RateLimitedError,
  internal_error: InternalError,
  rate_limit_unavailable: RateLimitUnavailableError,
};
export const ERRORS_BY_REASON = {
  invalid_query: InvalidQueryError,
  unknown_query_parameter: UnknownQueryParameterError,
  invalid_path: InvalidPathError,
  invalid_body: InvalidBodyError,
  cursor_expired: CursorExpiredError,
  api_key_in_query: ApiKeyInQueryError,
  sandbox_api_key: SandboxApiKeyError,
  subscription_inactive: SubscriptionInactiveError,
  max_plan_required: MaxPlanRequiredError,
  pick_not_released: PickNotReleasedError,
  trader_not_tracked: TraderNotTrackedError,
  unknown_endpoint: UnknownEndpointError,
  method_not_allowed: MethodNotAllowedError,
  freshness_ceiling_unsatisfied: FreshnessCeilingUnsatisfiedError,
  idempotency_in_progress: IdempotencyInProgressError,
  webhook_delivery_in_progress: WebhookDeliveryInProgressError,
  webhook_secret_rotation_overlap_active: WebhookSecretRotationOverlapActiveError,
  webhook_secret_rotation_not_prepared: WebhookSecretRotationNotPreparedError,
  export_expired: ExportExpiredError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  ip_rate_limited: IpRateLimitedError,
  ip_throttled: IpThrottledError,
  monthly_quota_exceeded: MonthlyQuotaExceededError,
  read_model_warming: ReadModelWarmingError,
  request_accounting_unavailable: RequestAccountingUnavailableError,
  database_unavailable: DatabaseUnavailableError,
};
