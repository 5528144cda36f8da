import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, verifyWebhook, type Client, type StreamEvent } from "../../../../src/client/index.ts";
import { verifyFile } from "../../../../src/client/verify.ts";
import { EVENT_SPELLINGS } from "../../../../src/events/registry.ts";
import { ALL_IDS, callEveryOperation, OTHERS } from "../../../support/client/call-every-operation.ts";
import { listCliExamples, listClientExamples } from "../../../support/client/client-documents.ts";
import { runInChromium } from "../../../support/client/in-chromium.ts";
import { runClientExample } from "../../../support/client/run-client-example.ts";
import { runCli, startCli } from "../../../support/client/run-cli.ts";
import { isChromiumInstalled } from "../../../support/stream/stream-clients.ts";
import { addReaders } from "../../../support/product/more-readers.ts";
import { productDatabaseUrl } from "../../../support/product/product-database.ts";
import type { StartedProduct } from "../../../support/product/started-product.ts";
import { sharedProduct } from "../shared-product.ts";

/** Keys of accounts of their own, so that no test spends the budget of another. */
const KEYS = 11;

let product: StartedProduct;
let workDir: string;
let database: pg.Client;
let keys: string[];

beforeAll(async () => {
  const shared = sharedProduct();
  product = shared.product;
  workDir = mkdtempSync(join(tmpdir(), "client-"));
  const url = productDatabaseUrl(shared.dataDir);
  database = new pg.Client({ connectionString: url });
  await database.connect();
  keys = await addReaders(url, shared.dataDir, KEYS, { plan: "max", scopes: ["read", "usage", "webhooks", "export"] });
});

afterAll(async () => {
  await database?.end();
  rmSync(workDir, { recursive: true, force: true });
});

const clientWith = (key: number): Client => createClient({ baseUrl: product.facts.base_url, apiKey: keys[key] ?? "" });

/** The environment of a command, with a home of its own. */
const envWith = (key: number | null): Record<string, string> => ({
  XDG_CONFIG_HOME: join(workDir, `config-${key}`),
  ACTIVITY_BASE_URL: product.facts.base_url,
  ...(key !== null && { ACTIVITY_API_KEY: keys[key] ?? "" }),
});

const publish = (count: number) =>
  database.query(
    `insert into events (epoch, type, payload)
     select max(epoch), 'large_trades_inserted', jsonb_build_object('count', $1::int) from outbox_epoch`,
    [count],
  );

/** Errors that calls without the right state get; everything else succeeds. */
const EXPECTED_ERRORS: Readonly<Record<string, string>> = {
  listSportsEdgeSignals: "NotFoundError",
  // A new product has published no pick and archived no day.
  getPickOfTheDay: "PickNotReleasedError",
  getPickOfTheDayLedgerEntry: "NotFoundError",
  getRowProof: "NotFoundError",
  // The token is wrong, and nothing listens at the receiver.
  verifyWebhook: "BadRequestError",
  createWebhookVerificationAttempt: "BadRequestError",
  getWebhookVerificationAttempt: "NotFoundError",
  testWebhook: "BadRequestError",
  redeliverWebhookDelivery: "NotFoundError",
};

test("every operation works through the client, on the product and in the sandbox", async () => {
  const errorsOf = (outcomes: Record<string, string>) =>
    Object.fromEntries(Object.entries(outcomes).filter(([, outcome]) => outcome.endsWith("Error")));
  const live = await callEveryOperation(clientWith(0), database);
  expect([...Object.keys(live), ...OTHERS].toSorted()).toEqual([...ALL_IDS].toSorted());
  expect(errorsOf(live)).toEqual(EXPECTED_ERRORS);
  const sandbox = await callEveryOperation(createClient({ baseUrl: product.facts.sandbox_url }), database);
  expect(Object.keys(sandbox)).toEqual(Object.keys(live));
  // The sandbox has no endpoint for agents.
  expect(errorsOf(sandbox)).toEqual({
    listSportsEdgeSignals: "NotFoundError",
    createMcpJsonRpcResponse: "UnknownEndpointError",
  });
});

test("rows of two pages are the rows of one", async () => {
  const client = clientWith(1);
  const ids: string[] = [];
  for await (const { id } of client.rows.listLeaderboard({ limit: 3 })) if (ids.push(id) === 6) break;
  const whole = await client.listLeaderboard({ limit: 6 });
  expect(ids).toEqual(whole.data.map(({ id }) => id));
  const again = await client.listLeaderboard({ limit: 6 }, { ifNoneMatch: whole.http.etag ?? "" });
  expect([whole.http.minute?.limit, again.http.status]).toEqual([100, 304]);
});

test("the stream goes on behind its checkpoint in a new client", async () => {
  let saved: string | null = null;
  const checkpoint = { load: () => saved, save: (id: string) => void (saved = id) };
  const counts: unknown[] = [];
  const read = async (until: number, work: () => Promise<unknown>) => {
    const stream = clientWith(1).getStream({ event: "WhaleTradesInserted" }, { checkpoint });
    const first = stream[Symbol.asyncIterator]();
    const timer = setInterval(() => void work(), 1_000);
    try {
      for (let next = await first.next(); next.done !== true; next = await first.next()) {
        const event: StreamEvent = next.value;
        const count = event.kind === "frame" ? event.data["count"] : null;
        if (typeof count === "number" && count > 1_000_000) counts.push(count);
        if (count === until) break;
      }
    } finally {
      clearInterval(timer);
      await first.return?.();
    }
  };
  let next = 1_000_000;
  await read(1_000_002, () => publish(++next));
  // The event at which it broke off was not checkpointed: it comes again.
  const published = next;
  await publish(++next);
  await read(published + 1, async () => {});
  expect(counts.slice(0, 2)).toEqual([1_000_001, 1_000_002]);
  expect(counts.slice(2)).toEqual(Array.from({ length: published - 1_000_001 + 1 }, (_, n) => 1_000_002 + n));
});

test("an export is what its manifest says, in memory", async () => {
  const [trader] = (await clientWith(2).listLeaderboard({ limit: 1 })).data;
  const file = await clientWith(2).files.traderExport({ address: trader?.address ?? "", format: "ndjson" });
  const content = await file.content();
  const publicKey = file.status.data.artifact?.proof?.public_key ?? "";
  const manifest = await verifyFile({ content, job: file.status.data, publicKey });
  expect(manifest["row_count"]).toBe(new TextDecoder().decode(content).trimEnd().split("\n").length - 1);
});

test("login tries a key before it stores it, for its owner alone", async () => {
  const env = envWith(null);
  const refused = await runCli(["login"], env, `svc_sk_live_${"0".repeat(64)}\n`);
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 3, stdout: "" });
  expect((await runCli(["get", "getAccountIdentity"], env)).code).toBe(3);
  const done = await runCli(["login", "--key"], env, `${keys[3]}\n`);
  expect(done.code).toBe(0);
  expect(`${done.stdout}${done.stderr}`).not.toContain(keys[3]);
  const file = join(env["XDG_CONFIG_HOME"] ?? "", "activity/credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The login also names the API.
  const { ACTIVITY_BASE_URL: _, ...withoutUrl } = env;
  expect((await runCli(["get", "getAccountIdentity"], withoutUrl)).code).toBe(0);
  await runCli(["logout"], withoutUrl);
  expect((await runCli(["get", "getAccountIdentity"], env)).code).toBe(3);
});

test.each([
  ["an answer", ["get", "getHealth"], 0],
  ["wrong arguments", ["get", "getTrader"], 2],
  ["an unknown query name", ["get", "/leaderboard?colour=red"], 2],
  ["a wrong value", ["get", "/leaderboard", "limit=x"], 2],
  ["an unknown trader", ["get", "/trader/nobody-has-this-name"], 4],
  ["an unreachable API", ["get", "getHealth", "--base-url", "http://127.0.0.1:9"], 6],
  ["a failed check", ["verify", "heads", "/dev/null"], 1],
] as const)("the exit code of %s", async (_, args, code) => {
  const result = await runCli(args, envWith(4));
  expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code });
  expect(result.stderr.includes("    at ")).toBe(false);
});

test("get prints JSON into a pipe, one row a line with --all, and no colours", async () => {
  const one = await runCli(["get", "/leaderboard", "limit=2"], envWith(4));
  expect(JSON.parse(one.stdout)).toMatchObject({ object: "list", has_more: true });
  const all = await runCli(["get", "listWebhookDeliveries", "id=1", "--all"], envWith(4));
  expect(all.code).toBe(4);
  const days = await runCli(["get", "/proofs/heads", "--all"], envWith(4));
  expect(days.code).toBe(0);
  const rows = await runCli(["get", "list-suspicious-trades", "limit=100", "--all"], envWith(5));
  const lines = rows.stdout.trimEnd().split("\n");
  expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => "object"));
  expect(`${one.stdout}${rows.stdout}${rows.stderr}`).not.toContain("\u001b");
});

test("tail prints events and ends with 130 on Ctrl-C, and continues from its checkpoint", async () => {
  const checkpoint = join(workDir, "checkpoint");
  const args = ["tail", "--event", "WhaleTradesInserted", "--checkpoint", checkpoint];
  const first = startCli(args, envWith(5), null);
  const timer = setInterval(() => void publish(2_000_001), 1_000);
  await first.printed(/2000001[^]*2000001/);
  clearInterval(timer);
  first.child.kill("SIGINT");
  expect((await first.ended).code).toBe(130);
  const lines = first
    .stdout()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.every(({ type }) => type === "WhaleTradesInserted")).toBe(true);
  expect(lines.map(({ seq }) => String(seq))).toContain(readFileSync(checkpoint, "utf8").trim());
  await publish(2_000_002);
  const second = startCli(args, envWith(5), null);
  await second.printed(/2000002/);
  second.child.kill("SIGINT");
  expect((await second.ended).code).toBe(130);
});

/** A receiver that fails as often as asked and keeps the deliveries. */
async function openReceiver(failures: number) {
  const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    received.push({ headers: request.headers, body });
    response.writeHead(received.length <= failures ? 500 : 204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/hook`, received, close: () => server.close() };
}

test("listen posts events that a receiver can verify, and repeats a failed attempt", async () => {
  const receiver = await openReceiver(1);
  const args = ["listen", "--forward-to", receiver.url, "--events", "whale_trades_inserted", "--retry-seconds", "0.2"];
  const run = startCli(args, envWith(6), null);
  const timer = setInterval(() => void publish(3_000_001), 1_000);
  await run.printed(/"attempt":2,"result":204/);
  clearInterval(timer);
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  const [, secret = ""] = /Signing secret: (\S+)/.exec(run.stderr()) ?? [];
  for (const { headers, body } of receiver.received)
    expect(await verifyWebhook({ headers, body, secrets: secret })).toMatchObject({ type: "whale_trades_inserted" });
  const retried = receiver.received.filter(({ body }) => body === receiver.received[0]?.body);
  expect(retried.map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "2"]);
  receiver.close();
});

test("trigger posts every event, signed; it fails when the receiver does", async () => {
  const receiver = await openReceiver(0);
  const secret = `whsec_${"A".repeat(43)}`;
  for (const type of EVENT_SPELLINGS) {
    const { code } = await runCli(["trigger", type, "--to", receiver.url, "--secret", secret], envWith(null));
    expect({ type, code }).toEqual({ type, code: 0 });
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: "" };
    expect(await verifyWebhook({ headers, body, secrets: secret })).toMatchObject({ type });
  }
  receiver.close();
  const { code } = await runCli(["trigger", "trader_synced", "--to", receiver.url], envWith(null));
  expect(code).toBe(1);
  expect((await runCli(["trigger", "trader_synced", "--to", "https://example.com"], envWith(null))).code).toBe(2);
});

test("export writes a checked file, and verify finds a changed byte", async () => {
  const [trader] = (await clientWith(6).listLeaderboard({ limit: 1 })).data;
  const path = join(workDir, "trades.csv");
  const args = ["export", "trader", trader?.address ?? "", "--format", "csv", "--out", path];
  const exported = await runCli(args, envWith(7));
  expect({ code: exported.code, stderr: exported.stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(exported.stdout).data).toMatchObject({ file: path, bytes: readFileSync(path).length });
  const verify = () => runCli(["verify", "download", path, `${path}.status.json`], envWith(null));
  expect((await verify()).stdout).toMatch(/^OK {2}/);
  writeFileSync(
    path,
    readFileSync(path).map((byte, n) => (n === 10 ? byte ^ 1 : byte)),
  );
  expect((await verify()).code).toBe(1);
  const to = new Date(Date.now() - 60_000).toISOString();
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const dataset = await runCli(
    ["export", "dataset", "--from", from, "--to", to, "--out", join(workDir, "set")],
    envWith(7),
  );
  expect({ code: dataset.code, stderr: dataset.stderr }).toMatchObject({ code: 0 });
});

test("mcp passes messages between stdio and the API", async () => {
  const message = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
  const info = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const lines = [
    message(1, "initialize", info),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    message(2, "tools/list"),
    message(3, "tools/call", { name: "get_leaderboard", arguments: { limit: 1 } }),
  ];
  const input = [...lines.map((line) => JSON.stringify(line)), "{", ""].join("\n");
  const { code, stdout } = await runCli(["mcp"], envWith(7), input);
  const replies = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const byId = new Map(replies.map((reply) => [reply.id, reply]));
  expect({ code, ids: [...byId.keys()].toSorted() }).toEqual({ code: 0, ids: [1, 2, 3, null] });
  expect(byId.get(1).result.protocolVersion).toBe("2025-11-25");
  expect(byId.get(2).result.tools.length).toBeGreaterThan(30);
  expect(byId.get(3).result.structuredContent.data).toHaveLength(1);
  expect(byId.get(null).error.code).toBe(-32_700);
});

test.runIf(isChromiumInstalled)("the client works in a browser, on a page of another origin", async () => {
  const secret = `whsec_${"A".repeat(43)}`;
  const receiver = await openReceiver(0);
  await runCli(["trigger", "trader_synced", "--to", receiver.url, "--secret", secret], envWith(null));
  receiver.close();
  const [delivery] = receiver.received;
  const timer = setInterval(() => void publish(4_000_001), 1_000);
  const outcome = await runInChromium(`
import { createClient, verifyWebhook, NotFoundError } from "/index.js";
const client = createClient(${JSON.stringify({ baseUrl: product.facts.base_url, apiKey: keys[8] })});
const ids = [];
for await (const row of client.rows.listLeaderboard({ limit: 2 })) if (ids.push(row.id) === 3) break;
const error = await client.getTrader({ address: "nobody-has-this-name" }).catch((error) => error);
let count = null;
for await (const { kind, data } of client.getStream({ event: "WhaleTradesInserted" }))
  if (kind === "frame" && (count = data.count) === 4_000_001) break;
const webhook = await verifyWebhook(${JSON.stringify({ ...delivery, secrets: secret })});
const file = await client.files.traderExport({ address: ids[0], format: "ndjson" });
report({
  ids: ids.length, notFound: error instanceof NotFoundError, count, type: webhook.type,
  bytes: (await file.content()).length > 0,
});`);
  clearInterval(timer);
  expect(outcome).toEqual({ ids: 3, notFound: true, count: 4_000_001, type: "trader_synced", bytes: true });
});

/** The key that signs files, which a deployment publishes. */
async function signingKey(): Promise<string> {
  const [trader] = (await clientWith(9).listLeaderboard({ limit: 1 })).data;
  const { status } = await clientWith(9).files.traderExport({ address: trader?.address ?? "", format: "json" });
  return status.data.artifact?.proof?.public_key ?? "";
}

/** The start of the UTC day that many days ago. */
const midnight = (days: number): string =>
  `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;

test("every example of docs/client.md runs", async () => {
  const [calls, stream, webhook, files, ...others] = listClientExamples();
  expect(others).toEqual([]);
  const { base_url: baseUrl } = product.facts;
  const run = (code: string | undefined, before: string, after: string) =>
    runClientExample({ code: code ?? "", before, after, baseUrl, key: keys[9] ?? "" });
  const open = `const client = api.createClient({ baseUrl: "${baseUrl}", apiKey: process.env.KEY });`;
  const [{ id }] = (await database.query("select id from traders order by id limit 1")).rows;
  const printed = await run(calls?.replaceAll("trd_12", `trd_${id}`), "", 'console.log("end");');
  expect(printed).toMatch(/^\S+ \d+\n(wt_\d+\n)*end\n$/);
  const timer = setInterval(() => void publish(5_000_001), 1_000);
  const streamed = await run(
    stream?.replace('{ min_grade: "A" }', '{ event: "WhaleTradesInserted" }'),
    `${open}
const checkpoint = { load: () => null, save: () => undefined };
const readEverythingAgain = async () => undefined;
const work = async (frame) => { if (frame.count === 5_000_001) { console.log("received"); process.exit(0); } };`,
    "",
  );
  clearInterval(timer);
  expect(streamed).toBe("received\n");
  const receiver = await openReceiver(0);
  const secret = `whsec_${"A".repeat(43)}`;
  await runCli(["trigger", "trader_synced", "--to", receiver.url, "--secret", secret], envWith(null));
  receiver.close();
  const verified = await run(
    webhook?.replace("process.env.SECRET", JSON.stringify(secret)),
    `const { verifyWebhook } = api;
const sent = ${JSON.stringify(receiver.received[0])};
const request = new Request("http://receiver.test", { method: "POST", ...sent });`,
    "console.log(event.type);",
  );
  expect(verified).toBe("trader_synced\n");
  const publicKey = await signingKey();
  const checked = await run(
    files?.replace("2026-11-14T00:00:00Z", midnight(1)).replace("2026-11-21T00:00:00Z", midnight(0)),
    `${open}\nconst publicKey = ${JSON.stringify(publicKey)};`,
    "console.log(content.length > 0);",
  );
  expect(checked).toBe("true\n");
});

/** Commands that run until they are interrupted, and what they have printed by then. */
const ENDLESS: Readonly<Record<string, RegExp>> = { tail: /6000001/, listen: /"result":204/ };
/** Exit codes of examples that name what a new product does not have. */
const ABSENT: Readonly<Record<string, number>> = { "verify row wt_81": 4, "verify pick 451": 4 };

test("every example of docs/cli.md runs", async () => {
  const receiver = await openReceiver(0);
  const [{ id }] = (await database.query("select id from traders order by id limit 1")).rows;
  const publicKey = await signingKey();
  const env = { ...envWith(10), XDG_CONFIG_HOME: join(workDir, "examples") };
  const values: Readonly<Record<string, string>> = {
    "address=trd_1": `address=trd_${id}`,
    trd_1: `trd_${id}`,
    "http://localhost:3000/hook": receiver.url,
    KEY: publicKey,
    "last-event": join(workDir, "last-event"),
    "trades.csv": join(workDir, "example.csv"),
    "trades.csv.status.json": join(workDir, "example.csv.status.json"),
    "2026-11-14T00:00:00Z": midnight(1),
    "2026-11-21T00:00:00Z": midnight(0),
    LargeTradeInsertedV2: "WhaleTradesInserted",
    large_trade_inserted_v2: "whale_trades_inserted",
    // Events of the test have no grade.
    "--min-grade": "--json",
    A: "--json",
  };
  const examples = listCliExamples();
  expect(examples.length).toBeGreaterThan(12);
  for (const words of examples) {
    const args = words.map((word) => values[word] ?? word);
    const example = words.join(" ");
    const endless = ENDLESS[words[0] ?? ""];
    const run = startCli(args, env, words[0] === "login" ? `${keys[10]}\n` : "", workDir);
    const timer = setInterval(() => void publish(6_000_001), 1_000);
    if (endless !== undefined) {
      await run.printed(endless);
      run.child.kill("SIGINT");
    }
    const { code, stderr } = await run.ended;
    clearInterval(timer);
    const expected = endless === undefined ? (ABSENT[example] ?? 0) : 130;
    expect({ example, code, stderr: code === expected ? "" : stderr }).toEqual({ example, code: expected, stderr: "" });
  }
  receiver.close();
});
