import { TEST_SIGNING_KEY } from "../archive/signing-key.ts";

/** The minimal configuration; no URL in it is reachable. */
export const TEST_VARIABLES = {
  SERVICE_NAME: "Test",
  KEY_PREFIX: "svc",
  API_BASE_URL: "http://api.test",
  WEB_BASE_URL: "http://web.test",
  SANDBOX_BASE_URL: "http://sandbox.test",
  PROVIDER_GAMMA_URL: "https://provider.test",
  PROVIDER_DATA_URL: "https://provider.test",
  PROVIDER_CLOB_URL: "https://provider.test",
  PROVIDER_TRADES_SOCKET_URL: "wss://provider.test",
  PROVIDER_SPORTS_SOCKET_URL: "wss://provider.test",
  BACKFILL_DAYS: "2",
  FEED_POLL_SECONDS: "10",
  LARGE_TRADE_MIN_USD: "5000",
  DATABASE_URL: "postgres://unused",
  UPSTASH_REDIS_REST_URL: "https://unused.test",
  UPSTASH_REDIS_REST_TOKEN: "unused",
  CREDENTIAL_SECRET: "test-credential-secret-of-32-bytes-or-more",
  CURSOR_SECRET: "test-cursor-secret-of-32-bytes-or-more",
  SESSION_SECRET: "test-session-secret-of-32-bytes-or-more",
  ARCHIVE_SIGNING_KEY: TEST_SIGNING_KEY,
};
