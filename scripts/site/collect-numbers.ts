import { CONNECTIONS_PER_ACCOUNT, CONNECTIONS_PER_KEY } from "../../durable-objects/stream-fanout/decide-join.ts";
import { RETAINED_FRAMES, RETAINED_MS } from "../../durable-objects/event-stream/sequencer.ts";
import { WINDOW_LIMIT } from "../../durable-objects/user-meter/decide-admission.ts";
import { DEADLINE_MS } from "../../src/api/pipeline/run-operation.ts";
import { MAX_BODY_BYTES } from "../../src/api/request/read-body.ts";
import { IDEMPOTENCY_MS } from "../../src/api/request/run-once.ts";
import { CEILING_REQUESTS, INCLUDED_REQUESTS } from "../../src/domain/accounts/monthly-quota.ts";
import {
  DATASETS_PER_HOUR,
  RETENTION_MS as FILE_MS,
  SUBMITS_PER_DAY,
  TRADER_SUBMITS_PER_HOUR,
} from "../../src/domain/exports/export-job.ts";
import { MAX_RANGE_DAYS } from "../../src/domain/exports/dataset-range.ts";
import { RETENTION_DAYS } from "../../src/domain/retention.ts";
import {
  MAX_FILTER_WALLETS,
  MAX_WATCHLIST_WALLETS,
  MAX_WATCHLISTS,
} from "../../src/domain/watchlists/watchlist-limits.ts";
import { MAX_DATASET_ROWS } from "../../src/exports/sources/dataset-source.ts";
import { MAX_BATCH_ITEMS } from "../../src/operations/batch.ts";
import { DEPRECATION } from "../../src/operations/deprecation.ts";
import { CHECK_INTERVAL_MS } from "../../src/stream/access-timing.ts";
import { KEEP_ALIVE_MS } from "../../src/operations/events/stream-connection.ts";
import { MAX_INTEGRATIONS } from "../../src/operations/keys/create-integration-key.ts";
import { OVERLAP_MINUTES } from "../../src/operations/keys/rotate-integration-key.ts";
import { MAX_LIFETIME_DAYS } from "../../src/operations/keys/schemas.ts";
import { MAX_ENDPOINTS } from "../../src/operations/webhooks/create-webhook.ts";
import { LINK_SECONDS } from "../../src/platform/artifacts/file-link.ts";
import { IP_COOLDOWN } from "../../src/platform/rate-limit/ip-cooldown.ts";
import { IP_LIMITS } from "../../src/platform/rate-limit/redis-ip-budget.ts";
import { MAX_LIVE_DEFAULT_KEYS } from "../../src/queries/accounts/api-keys.ts";
import { CODE_SECONDS } from "../../src/web/sign-in/sign-in-code-format.ts";
import { DISABLE_AFTER_FAILURES, RESPONSE_TIMEOUT_MS } from "../../src/webhooks/rules/delivery-state.ts";
import {
  MAX_ATTEMPTS,
  MAX_REQUESTED_MS,
  MIN_REQUESTED_MS,
  RETRY_HORIZON_SECONDS,
} from "../../src/webhooks/rules/retry-schedule.ts";
import { OVERLAP_MS } from "../../src/webhooks/rules/secret-rotation.ts";
import { CHALLENGE_TIMEOUT_MS, MAX_CHALLENGES, TOKEN_MS } from "../../src/webhooks/rules/verify-schedule.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/scoring/utc-calendar.ts";

const shown = (value: number): string => value.toLocaleString("en-US");
const seconds = (ms: number): string => shown(ms / 1000);
const minutes = (ms: number): string => shown(ms / MINUTE_MS);
const hours = (ms: number): string => shown(ms / HOUR_MS);
const day = (date: Date): string => date.toISOString().slice(0, 10);

/** Every number that a page may name, from the constant that enforces it. */
export const collectNumbers = (): Readonly<Record<string, string>> => ({
  account_requests_per_minute: shown(WINDOW_LIMIT),
  batch_units_per_minute: shown(WINDOW_LIMIT),
  batch_items: shown(MAX_BATCH_ITEMS),
  address_requests_per_minute: shown(IP_LIMITS.shared),
  health_requests_per_minute: shown(IP_LIMITS.health),
  cooldown_refusals: shown(IP_COOLDOWN.refusedInExcess),
  cooldown_minutes: shown(IP_COOLDOWN.excessMinutes),
  cooldown_within_minutes: shown(IP_COOLDOWN.withinMinutes),
  cooldown_first_minutes: minutes(IP_COOLDOWN.ladderMs[0]),
  cooldown_longest_hours: hours(Math.max(...IP_COOLDOWN.ladderMs)),
  requests_per_month: shown(INCLUDED_REQUESTS),
  ceiling_requests_per_month: shown(CEILING_REQUESTS),
  deadline_seconds: seconds(DEADLINE_MS),
  body_bytes: shown(MAX_BODY_BYTES),
  idempotency_hours: hours(IDEMPOTENCY_MS),
  default_keys: shown(MAX_LIVE_DEFAULT_KEYS),
  integrations: shown(MAX_INTEGRATIONS),
  integration_days: shown(MAX_LIFETIME_DAYS),
  rotation_minutes: shown(OVERLAP_MINUTES),
  sign_in_code_minutes: minutes(CODE_SECONDS * 1000),
  streams_per_key: shown(CONNECTIONS_PER_KEY),
  streams_per_account: shown(CONNECTIONS_PER_ACCOUNT),
  stream_frames: shown(RETAINED_FRAMES),
  stream_hours: hours(RETAINED_MS),
  stream_comment_seconds: seconds(KEEP_ALIVE_MS),
  stream_check_seconds: seconds(CHECK_INTERVAL_MS),
  event_days: shown(RETENTION_DAYS),
  filter_wallets: shown(MAX_FILTER_WALLETS),
  watchlists: shown(MAX_WATCHLISTS),
  watchlist_wallets: shown(MAX_WATCHLIST_WALLETS),
  webhook_endpoints: shown(MAX_ENDPOINTS),
  webhook_attempts: shown(MAX_ATTEMPTS),
  webhook_minutes: minutes(RETRY_HORIZON_SECONDS * 1000),
  webhook_response_seconds: seconds(RESPONSE_TIMEOUT_MS),
  webhook_disable_failures: shown(DISABLE_AFTER_FAILURES),
  webhook_least_wait_seconds: seconds(MIN_REQUESTED_MS),
  webhook_longest_wait_minutes: minutes(MAX_REQUESTED_MS),
  webhook_challenges: shown(MAX_CHALLENGES),
  webhook_challenge_seconds: seconds(CHALLENGE_TIMEOUT_MS),
  webhook_token_hours: hours(TOKEN_MS),
  webhook_overlap_minutes: minutes(OVERLAP_MS),
  files_per_day: shown(SUBMITS_PER_DAY),
  datasets_per_hour: shown(DATASETS_PER_HOUR),
  exports_per_hour: shown(TRADER_SUBMITS_PER_HOUR),
  file_hours: hours(FILE_MS),
  file_link_minutes: minutes(LINK_SECONDS * 1000),
  dataset_days: shown(MAX_RANGE_DAYS),
  dataset_rows: shown(MAX_DATASET_ROWS),
  aliases_since: day(DEPRECATION.since),
  aliases_until: day(DEPRECATION.sunset),
});
