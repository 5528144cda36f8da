import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { TEST_VARIABLES } from "../support/test-variables.ts";

const MAIL = { MAIL_ENDPOINT: "https://api.resend.com/emails", MAIL_TOKEN: "re_token", MAIL_FROM: "Service <codes@example.test>" };

/** The variables that a configuration is refused for, each with what is said of it. */
function refusalOf(env: object): Record<string, string> {
  try {
    parseConfig(env);
  } catch (error: any) {
    return Object.fromEntries(error.issues.map(({ path, message }: any) => [path.join(), message]));
  }
  return {};
}

test("a mail service is configured by three variables, or not at all", () => {
  expect(parseConfig({ ...TEST_VARIABLES, ...MAIL }).mail).toEqual({
    endpoint: "https://api.resend.com/emails",
    token: "re_token",
    from: "Service <codes@example.test>",
  });
  expect(parseConfig(TEST_VARIABLES).mail).toBeNull();
});

test.for<[string[], string[]]>([
  [["MAIL_ENDPOINT"], ["MAIL_TOKEN", "MAIL_FROM"]],
  [["MAIL_TOKEN"], ["MAIL_ENDPOINT", "MAIL_FROM"]],
  [["MAIL_FROM"], ["MAIL_ENDPOINT", "MAIL_TOKEN"]],
  [["MAIL_ENDPOINT", "MAIL_TOKEN"], ["MAIL_FROM"]],
  [["MAIL_ENDPOINT", "MAIL_FROM"], ["MAIL_TOKEN"]],
  [["MAIL_TOKEN", "MAIL_FROM"], ["MAIL_ENDPOINT"]],
])("of them %j alone are refused, naming what is missing", ([given, missing]) => {
  const part = Object.fromEntries(Object.entries(MAIL).filter(([name]) => given.includes(name)));
  const message = (name: string) => `${name} is missing: MAIL_ENDPOINT, MAIL_TOKEN, MAIL_FROM are set together or not at all`;
  expect(refusalOf({ ...TEST_VARIABLES, ...part })).toEqual(Object.fromEntries(missing.map((name) => [name, message(name)])));
});

test.for([
  ["MAIL_ENDPOINT", ""],
  ["MAIL_ENDPOINT", "api.resend.com"],
  ["MAIL_ENDPOINT", "mailto:codes@example.test"],
  ["MAIL_TOKEN", ""],
  ["MAIL_TOKEN", "re_\ntoken"],
  ["MAIL_TOKEN", "tökën"],
  ["MAIL_FROM", ""],
  ["MAIL_FROM", "Service"],
  ["MAIL_FROM", "codes@example.test\r\nBcc: all@example.test"],
] as const)("%s is not %j, and the refusal does not repeat it", ([name, value]) => {
  const refused = refusalOf({ ...TEST_VARIABLES, ...MAIL, [name]: value });
  expect(Object.keys(refused)).toEqual([name]);
  expect(refused[name]).not.toContain(value || "nothing");
});

test.for(["codes@example.test", "Service <codes@example.test>", '"Dienst, e.V." <codes@example.test>'])("MAIL_FROM may be %s", (from) => {
  expect(parseConfig({ ...TEST_VARIABLES, ...MAIL, MAIL_FROM: from }).mail?.from).toBe(from);
});

test("receivers on this machine are refused unless they are asked for", () => {
  expect(parseConfig(TEST_VARIABLES).webhooks).toEqual({
    headerPrefix: "x-service",
    dnsQueryUrl: "https://cloudflare-dns.com/dns-query",
    allowLoopback: false,
  });
});

test.for(["http://localhost:8787", "http://127.0.0.1:8787", "http://127.8.9.10", "http://[::1]:8787"])(
  "they may be asked for while the API is at %s",
  (baseUrl) => {
    expect(parseConfig({ ...TEST_VARIABLES, API_BASE_URL: baseUrl, ALLOW_LOOPBACK_RECEIVERS: "true" }).webhooks.allowLoopback).toBe(true);
  },
);

test.for(["https://api.example.com", "http://api.test", "http://127.0.0.1.example.com", "http://localhost.example.com", "http://10.0.0.1"])(
  "and not while it is at %s",
  (baseUrl) => {
    expect(refusalOf({ ...TEST_VARIABLES, API_BASE_URL: baseUrl, ALLOW_LOOPBACK_RECEIVERS: "true" })).toEqual({
      ALLOW_LOOPBACK_RECEIVERS: "webhooks may be posted to this machine only while the API itself is on it: API_BASE_URL is elsewhere",
    });
  },
);

test.for([
  ["HEADER_PREFIX", "service"],
  ["HEADER_PREFIX", "X-Service"],
  ["HEADER_PREFIX", "x-service:"],
  ["DNS_QUERY_URL", "cloudflare-dns.com"],
  ["ALLOW_LOOPBACK_RECEIVERS", "yes"],
  ["HEAVY_JOBS", "false"],
  ["HEAVY_JOBS", ""],
  ["MAINTENANCE", "true"],
] as const)("%s is not %j", ([name, value]) => {
  expect(Object.keys(refusalOf({ ...TEST_VARIABLES, [name]: value }))).toEqual([name]);
});

test("heavy jobs run and nothing is maintained unless it is said", () => {
  expect(parseConfig(TEST_VARIABLES)).toMatchObject({ heavyJobs: true, maintenance: false });
  expect(parseConfig({ ...TEST_VARIABLES, HEAVY_JOBS: "on", MAINTENANCE: "off" })).toMatchObject({ heavyJobs: true, maintenance: false });
  expect(parseConfig({ ...TEST_VARIABLES, HEAVY_JOBS: "off", MAINTENANCE: "on" })).toMatchObject({ heavyJobs: false, maintenance: true });
});

test("what is deployed keeps outbound requests off private addresses, and off our own origins behind their front door", () => {
  const toml = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
  expect(/^compatibility_flags = \[(.*)\]$/m.exec(toml)?.[1]?.split(/, */)).toContain('"global_fetch_strictly_public"');
});
