import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseCliArguments, USAGE } from "../../../../scripts/cli/arguments.ts";
import { openCredentialStore } from "../../../../scripts/cli/credentials.ts";
import { exitCodeOf, UsageError } from "../../../../scripts/cli/exit-codes.ts";
import { findOperation, READ_IDS } from "../../../../scripts/cli/find-operation.ts";
import { parseLocalUrl, secretOf } from "../../../../scripts/cli/local-delivery.ts";
import { signBody } from "../../../../src/webhooks/rules/sign-delivery.ts";
import { factsOf } from "../../../../src/client/build-request.ts";
import { ConnectionError, InvalidResponseError } from "../../../../src/client/index.ts";
import { readError } from "../../../../src/client/read-error.ts";
import { ERRORS } from "../../../../src/api/errors.ts";

test.each([
  [["nope"], /no command nope/],
  [["constructor"], /no command constructor/],
  [["get", "--forward-to", "x"], /get has no option --forward-to/],
  [["tail", "--colour"], /Unknown option '--colour'/],
  [["tail", "--event"], /argument missing/],
])("the arguments %j are refused", (argv, message) => {
  expect(() => parseCliArguments(argv)).toThrow(UsageError);
  expect(() => parseCliArguments(argv)).toThrow(message);
});

test("a command has its options; no command and --help show the usage", () => {
  expect(parseCliArguments(["tail", "--min-grade", "A", "--json"])).toMatchObject({
    command: "tail",
    values: { "min-grade": "A", json: true },
  });
  expect([parseCliArguments([]).command, parseCliArguments(["get", "--help"]).command]).toEqual([null, null]);
  expect(Math.max(...USAGE.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(120);
});

test("every read is found by its id, in kebab case and by its path", () => {
  for (const id of READ_IDS) {
    const kebab = id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const path = factsOf(id).path.replaceAll(/\{\w+\}/g, "x1") || "/";
    expect([findOperation(id, []).id, findOperation(kebab, []).id, findOperation(`/api/v1${path}`, []).id]).toEqual([
      id,
      id,
      id,
    ]);
  }
});

test("parameters come from the path, its query and pairs", () => {
  expect(findOperation("/trader/a%2Fb?expand=trust", ["expand=strategy", "max_age_s=5"])).toEqual({
    id: "getTrader",
    params: { address: "a/b", expand: ["trust", "strategy"], max_age_s: "5" },
  });
  expect(() => findOperation("getTrader", ["address"])).toThrow("address is not NAME=VALUE");
  expect(() => findOperation("createWebhook", [])).toThrow("no read operation");
  expect(() => findOperation("/nope", [])).toThrow("No read operation");
});

test("every error of the catalogue has the documented exit code", () => {
  const codes = Object.values(ERRORS).map(({ status, code }) => {
    const error = readError(status, new Headers(), JSON.stringify({ error: { code } }), 0);
    return [status, exitCodeOf(error)];
  });
  const byStatus = { 400: 2, 401: 3, 402: 3, 403: 3, 404: 4, 405: 1, 408: 6, 409: 1, 410: 4, 413: 1, 415: 1, 422: 2 };
  const expected: Record<string, number> = { ...byStatus, 423: 3, 429: 5, 500: 6, 503: 6 };
  expect(codes).toEqual(codes.map(([status]) => [status, expected[String(status)]]));
  expect(
    [new ConnectionError(""), new InvalidResponseError(""), new UsageError(""), new Error("")].map(exitCodeOf),
  ).toEqual([6, 1, 2, null]);
});

test.each([
  "https://example.com",
  "http://10.0.0.1",
  "ftp://localhost",
  "http://localhost.example.com",
  "x",
  undefined,
])("a receiver at %s is refused", (url) => {
  expect(() => parseLocalUrl(url, "--to")).toThrow("localhost");
});

test("credentials are kept by deployment, in a file of their owner", () => {
  const dir = mkdtempSync(join(tmpdir(), "credentials-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const store = openCredentialStore({ XDG_CONFIG_HOME: dir });
  expect([store.defaultBaseUrl(), store.find("https://a.test"), store.remove("https://a.test")]).toEqual([
    null,
    null,
    false,
  ]);
  store.save("https://a.test", { api_key: "a" });
  store.save("https://b.test", { api_key: "b" });
  expect([store.defaultBaseUrl(), store.find("https://a.test")]).toEqual(["https://b.test", { api_key: "a" }]);
  expect(statSync(store.path).mode & 0o777).toBe(0o600);
  expect(store.remove("https://b.test")).toBe(true);
  expect([store.defaultBaseUrl(), JSON.parse(readFileSync(store.path, "utf8")).credentials]).toEqual([
    null,
    { "https://a.test": { api_key: "a" } },
  ]);
  writeFileSync(store.path, "{");
  expect(() => store.find("https://a.test")).toThrow("cannot be read");
});

test("every generated secret signs, and a given one is base64 after whsec_", async () => {
  for (let n = 0; n < 50; n += 1) {
    const settings = { secrets: [secretOf(undefined)], headerPrefix: "x-service", nowMs: 0 };
    expect((await signBody({ id: "evt_1", body: "{}" }, settings))["webhook-signature"]).toMatch(/^v1,/);
  }
  expect(secretOf(`whsec_${"A".repeat(43)}`)).toBe(`whsec_${"A".repeat(43)}`);
  for (const given of ["", "whsec_", `whsec_${"-".repeat(43)}`, "A".repeat(43)])
    expect(() => secretOf(given)).toThrow("A secret is whsec_ and base64.");
});
