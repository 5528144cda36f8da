import { readEnvironment, type Environment } from "../../scripts/preflight/read-environment.ts";

const PRODUCTION = readEnvironment("production");

/** The environment `production` with host names of its own. */
export const DEPLOYED: Environment = {
  ...PRODUCTION,
  vars: {
    ...PRODUCTION.vars,
    API_BASE_URL: "https://api.markets.dev",
    WEB_BASE_URL: "https://www.markets.dev",
    SANDBOX_BASE_URL: "https://sandbox.markets.dev",
  },
  routes: ["api", "www", "sandbox"].map((name) => ({ pattern: `${name}.markets.dev`, custom_domain: true })),
};

/** The secrets without which the Worker does not start. */
export const SECRETS = {
  DATABASE_URL: "postgres://u:p@ep-a-1.us-east-1.aws.neon.tech/db?sslmode=require",
  UPSTASH_REDIS_REST_URL: "https://name.upstash.io",
  UPSTASH_REDIS_REST_TOKEN: "token",
  CREDENTIAL_SECRET: "a credential secret of 32 characters or more",
  CURSOR_SECRET: "a cursor secret of 32 characters or more",
  SESSION_SECRET: "a session secret of 32 characters or more",
};
