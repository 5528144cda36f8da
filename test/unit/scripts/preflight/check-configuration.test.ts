import { expect, test } from "vitest";
import { checkConfiguration } from "../../../../scripts/preflight/check-configuration.ts";
import { checkDatabaseUrl, checkEnvironment } from "../../../../scripts/preflight/check-environment.ts";
import { readEnvironment, type Environment } from "../../../../scripts/preflight/read-environment.ts";
import { DEPLOYED, SECRETS } from "../../../support/preflight.ts";

const faultsOf = (findings: readonly { level: string; text: string }[]) =>
  findings.filter(({ level }) => level === "fault").map(({ text }) => text);

const configured = (vars: Record<string, string>, secrets: Record<string, string> = {}) =>
  faultsOf(checkConfiguration({ vars: { ...DEPLOYED.vars, ...vars } }, { ...SECRETS, ...secrets }).findings);

test("a complete configuration has no fault, and notes what works without its setting", () => {
  const { findings, config } = checkConfiguration(DEPLOYED, SECRETS);
  expect(findings.map(({ text }) => text)).toEqual([
    "MAIL_ENDPOINT is not set: no sign-in codes and no notices are sent.",
    "ARCHIVE_SIGNING_KEY is not set: no archive is written, files have no proof, and health is degraded.",
  ]);
  expect(config?.apiBaseUrl).toBe("https://api.markets.dev");
});

test.each<[Record<string, string>, Record<string, string>, string[]]>([
  [{ API_BASE_URL: "https://api.example.com" }, {}, ["API_BASE_URL still has the example's host name."]],
  [{ WEB_BASE_URL: "http://www.markets.dev" }, {}, ["WEB_BASE_URL must use https."]],
  [{ MAINTENANCE: "later" }, {}, [expect.stringMatching(/^MAINTENANCE is invalid: /)]],
  [{}, { CREDENTIAL_SECRET: "short" }, ["CREDENTIAL_SECRET is shorter than 32 characters."]],
  [
    {},
    { CURSOR_SECRET: SECRETS.CREDENTIAL_SECRET },
    ["CURSOR_SECRET equals CREDENTIAL_SECRET: every secret needs its own value."],
  ],
  [{}, { CURSOR_SECRET_PREVIOUS: "short" }, ["CURSOR_SECRET_PREVIOUS is shorter than 32 characters."]],
  [{}, { CREDENTAIL_SECRET: "x" }, ["CREDENTAIL_SECRET is no setting of the Worker: check its spelling."]],
  [{}, { HEAVY_JOBS: "off" }, ["HEAVY_JOBS is a variable of wrangler.toml and a secret: remove one of them."]],
  [
    {},
    { SESSION_SECRET: `${SECRETS.SESSION_SECRET} and $HOME` },
    ["SESSION_SECRET contains a dollar sign, which wrangler expands: choose another value."],
  ],
  [{}, { NEON_SOCKET_PROXY: "127.0.0.1:5433/v2" }, ["NEON_SOCKET_PROXY is for development: remove it."]],
  [
    {},
    { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:8079" },
    ["UPSTASH_REDIS_REST_URL is an address of this machine, which the Worker cannot reach."],
  ],
  [{ REGION: "us-east-1" }, {}, [expect.stringMatching(/^REGION must be one of aws:us-east-1, .*\.$/)]],
])("variables %j and secrets %j are refused in one sentence", (vars, secrets, faults) => {
  expect(configured(vars, secrets)).toEqual(faults);
});

test("the message of a refused secret never repeats it", () => {
  expect(configured({}, { CREDENTIAL_SECRET: "hunter2", DATABASE_URL: "" }).join()).not.toContain("hunter2");
});

test("the environments as they are in the repository lack host names of their own and nothing else", () => {
  for (const name of ["staging", "production"] as const) {
    const environment = readEnvironment(name);
    expect(faultsOf(checkConfiguration(environment, SECRETS).findings)).toEqual(
      ["API_BASE_URL", "WEB_BASE_URL", "SANDBOX_BASE_URL"].map(
        (origin) => `${origin} still has the example's host name.`,
      ),
    );
    expect(checkEnvironment(environment)).toEqual([]);
  }
});

const { routes } = DEPLOYED;
test.each<[Partial<Environment>, string]>([
  [
    { routes: routes.slice(1) },
    "The routes of activity-api-production have no custom domain api.markets.dev, so nothing answers there.",
  ],
  [
    { routes: [...routes, { pattern: "old.markets.dev", custom_domain: true }] },
    "The route old.markets.dev of activity-api-production is the host of no base URL.",
  ],
  [
    { workers_dev: true },
    "activity-api-production answers at workers.dev or preview addresses: turn workers_dev and preview_urls off.",
  ],
  [{ placement: { region: "aws:eu-west-2" } }, "placement.region is aws:eu-west-2, but REGION is aws:us-east-1."],
  [{ placement: undefined }, "placement.region is not set, but REGION is aws:us-east-1."],
  [
    { vars: { ...DEPLOYED.vars, R2_BUCKET: "artifacts" } },
    "R2_BUCKET is artifacts, but the binding ARTIFACTS is the bucket activity-production-artifacts.",
  ],
  [{ vars: { ...DEPLOYED.vars, REGION: "" } }, "REGION is not set to a known region, so objects are created anywhere."],
])("an environment with %j has one fault", (change, text) => {
  expect(faultsOf(checkEnvironment({ ...DEPLOYED, ...change }))).toEqual([text]);
});

test.each([
  ["postgres://u:p@ep-a-1.us-east-1.aws.neon.tech/db?sslmode=require", []],
  ["postgres://u:p@ep-a-1-pooler.c-2.us-east-1.aws.neon.tech/db?sslmode=require", []],
  [
    "postgres://u:p@ep-a-1.eu-central-1.aws.neon.tech/db?sslmode=require",
    ["The database is in aws:eu-central-1, but REGION is aws:us-east-1."],
  ],
  ["postgres://u:p@ep-a-1.us-east-1.aws.neon.tech/db", ["DATABASE_URL lacks sslmode=require."]],
  ["ep-a-1.us-east-1.aws.neon.tech", ["DATABASE_URL is not a URL."]],
  ["postgres://u:p@db.markets.dev/db", ["DATABASE_URL is not an address of Neon on AWS: its region is unknown."]],
])("the database at %s is judged by its address", (url, texts) => {
  expect(checkDatabaseUrl(url, "aws:us-east-1").map(({ text }) => text)).toEqual(texts);
});
