import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { WebSocketServer } from "ws";
import { systemPorts, type PreflightPorts } from "../../../../scripts/preflight/ports.ts";
import { runPreflight } from "../../../../scripts/preflight/run-preflight.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { DEPLOYED, SECRETS } from "../../../support/preflight.ts";

/** Addresses of providers and optional services, which no test reaches: a stand-in answers for them. */
const OUTSIDE = /^https:\/\/(gamma-api|data-api|clob)\.polymarket\.com|^https:\/\/cloudflare-dns\.com|\.markets\.dev/;
const HEALTH = { status: "ok", db: true, cache: true, subsystems: { database_schema: true } };

let secrets: Record<string, string>;
let databaseUrl: string;

/** What a fault changes: the answer of an address, or the addresses of the embedded services. */
interface Faults {
  readonly answers?: Readonly<Record<string, () => Response>>;
  readonly database?: string;
  readonly neonHttpEndpoint?: string;
  readonly neonSocketProxy?: string;
  readonly sockets?: (url: string) => Promise<void>;
}

/** The embedded Postgres and Redis behind the addresses of a deployment. */
function portsWith(faults: Faults = {}): PreflightPorts {
  const services = inject("services");
  const embedded = {
    databaseUrl: faults.database ?? databaseUrl,
    neonHttpEndpoint: faults.neonHttpEndpoint ?? services.neonHttpEndpoint,
    neonSocketProxy: faults.neonSocketProxy ?? services.neonSocketProxy,
  };
  return {
    fetch: async (input, init) => {
      const url = String(input);
      const [, answer] = Object.entries(faults.answers ?? {}).find(([start]) => url.startsWith(start)) ?? [];
      if (answer !== undefined) return answer();
      if (url.endsWith("/api/v1/health")) return Response.json({ data: HEALTH });
      if (OUTSIDE.test(url)) return Response.json({});
      return systemPorts.fetch(url.replace(SECRETS.UPSTASH_REDIS_REST_URL, services.redisUrl), init);
    },
    openDatabase: () => systemPorts.openDatabase(embedded),
    withSession: (_config, work) => systemPorts.withSession(embedded, work),
    openSocket: faults.sockets ?? (async () => undefined),
  };
}

const faultsOf = async (faults: Faults = {}, more: Record<string, string> = {}) =>
  (await runPreflight({ environment: DEPLOYED, secrets: { ...secrets, ...more }, isDeployed: true }, portsWith(faults)))
    .filter(({ level }) => level === "fault")
    .map(({ text }) => text);

const refusing = (): never => {
  throw new TypeError("fetch failed");
};

beforeAll(async () => {
  databaseUrl = (await createTestDatabase()).databaseUrl;
  secrets = { ...SECRETS, UPSTASH_REDIS_REST_TOKEN: inject("services").redisToken };
});

test("an environment whose services answer has no fault", async () => {
  expect(await faultsOf()).toEqual([]);
});

describe("a deliberate fault is one sentence", () => {
  test("a database that lacks the newest migration", async () => {
    const older = await createTestDatabase();
    await older.db.execute(sql`delete from drizzle.__drizzle_migrations
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`);
    // The schema that was found current is remembered by its address.
    const elsewhere = { DATABASE_URL: SECRETS.DATABASE_URL.replace("/db", "/older") };
    expect(await faultsOf({ database: older.databaseUrl }, elsewhere)).toEqual([
      "The database lacks migrations of this build: run npm run migrate before the deployment.",
    ]);
  });

  test("Postgres away, over HTTP or over the WebSocket", async () => {
    const elsewhere = { DATABASE_URL: SECRETS.DATABASE_URL.replace("/db", "/away") };
    expect(await faultsOf({ neonHttpEndpoint: "http://127.0.0.1:9/sql" }, elsewhere)).toEqual([
      expect.stringMatching(/^Postgres does not answer over HTTP \(.*\)\.$/),
    ]);
    expect(await faultsOf({ neonSocketProxy: "127.0.0.1:9/v2" })).toEqual([
      expect.stringMatching(/^Postgres accepts no session over a WebSocket \(.*\)\.$/),
    ]);
  });

  test("Redis away, with another token, or with a token that only reads", async () => {
    const { UPSTASH_REDIS_REST_URL: redis } = SECRETS;
    expect(await faultsOf({ answers: { [redis]: refusing } })).toEqual([
      expect.stringMatching(/^Redis does not answer at UPSTASH_REDIS_REST_URL \(.*\)\.$/),
    ]);
    expect(await faultsOf({}, { UPSTASH_REDIS_REST_TOKEN: "another" })).toEqual([
      "Redis refuses UPSTASH_REDIS_REST_TOKEN.",
    ]);
    expect(await faultsOf({ answers: { [redis]: () => new Response("NOPERM", { status: 400 }) } })).toEqual([
      "Redis refuses a write with status 400: the token may be the read-only one.",
    ]);
  });

  test("the provider refuses this address, and a socket does not open", async () => {
    const faults = {
      answers: { "https://gamma-api.polymarket.com": () => new Response(null, { status: 403 }) },
      sockets: async (url: string) => {
        if (url.includes("sports")) throw new Error("closed");
      },
    };
    expect(await faultsOf(faults)).toEqual([
      "PROVIDER_GAMMA_URL answers with status 403.",
      "PROVIDER_SPORTS_SOCKET_URL opens no socket (Error: closed).",
    ]);
  });

  test("a relay that is away, refuses its token, is none, or does not forward", async () => {
    const relay = {
      PROVIDER_RELAY_URL: "https://relay.service",
      PROVIDER_RELAY_TOKEN: "a-relay-token-of-32-characters-or-more",
    };
    const outcome =
      (name: string, status = 200) =>
      () =>
        new Response(null, { status, headers: { "relay-outcome": name } });
    const faultsBehind = (answer: () => Response) => faultsOf({ answers: { "https://relay.service": answer } }, relay);
    expect(await faultsBehind(outcome("forwarded"))).toEqual([]);
    expect(await faultsBehind(refusing)).toEqual([
      expect.stringMatching(/^PROVIDER_RELAY_URL does not answer \(.*\)\.$/),
    ]);
    expect(await faultsBehind(outcome("unauthorized", 401))).toEqual(["The relay refuses PROVIDER_RELAY_TOKEN."]);
    expect(await faultsBehind(() => new Response())).toEqual([
      "PROVIDER_RELAY_URL is no relay: its answer has no Relay-Outcome.",
    ]);
    expect(await faultsBehind(outcome("target_refused", 403))).toEqual(
      ["GAMMA", "DATA", "CLOB"].map((name) =>
        expect.stringMatching(`^PROVIDER_${name}_URL does not answer \\(.*relay: target_refused.*\\)\\.$`),
      ),
    );
  });

  test("optional services that refuse their tokens", async () => {
    const services = {
      ...{ MAIL_ENDPOINT: "https://mail.service/emails", MAIL_TOKEN: "t", MAIL_FROM: "a@markets.dev" },
      CHAIN_RPC_URL: "https://node.service/SECRETKEY123",
      ...{ ICEBERG_CATALOG_URI: "https://catalog.service", ICEBERG_WAREHOUSE: "w", ICEBERG_TOKEN: "t" },
      ...{ R2_S3_ENDPOINT: "https://r2.service", R2_ACCESS_KEY_ID: "i", R2_SECRET_ACCESS_KEY: "s" },
    };
    const refuse = (status: number) => () => new Response(null, { status });
    const answers = {
      "https://mail.service": refuse(401),
      "https://catalog.service": refuse(403),
      "https://node.service": () => new Response("no such key SECRETKEY123", { status: 401 }),
      "https://r2.service": refuse(404),
    };
    expect(await faultsOf({ answers }, services)).toEqual([
      "The mail service refuses MAIL_TOKEN.",
      "ICEBERG_CATALOG_URI answers with status 403.",
      expect.stringMatching(/^CHAIN_RPC_URL does not answer as a node of Polygon \((?!.*SECRETKEY).*401.*\)\.$/),
      "There is no bucket activity-production-artifacts.",
    ]);
  });

  test("a deployed Worker that does not answer, refuses its configuration, or lacks a service", async () => {
    const { API_BASE_URL: api = "", WEB_BASE_URL: web = "" } = DEPLOYED.vars;
    expect(await faultsOf({ answers: { [api]: refusing, [web]: () => new Response(null, { status: 522 }) } })).toEqual([
      expect.stringMatching(/^API_BASE_URL does not answer \(.*\)\.$/),
      "WEB_BASE_URL answers https://www.markets.dev/docs with status 522.",
    ]);
    expect(await faultsOf({ answers: { [api]: () => new Response(null, { status: 500 }) } })).toEqual([
      "The Worker answers health with status 500: its log names a configuration that it refuses.",
    ]);
    const health = { ...HEALTH, status: "degraded", cache: false, subsystems: { database_schema: false } };
    expect(await faultsOf({ answers: { [api]: () => Response.json({ data: health }) } })).toEqual([
      "The Worker does not reach Redis.",
      "The deployed build needs migrations that the database lacks.",
    ]);
  });
});

test("a configuration that the Worker refuses is reported without reaching anything", async () => {
  const ports = portsWith({ answers: { "": () => expect.unreachable() } });
  const input = { environment: DEPLOYED, secrets: { ...secrets, SESSION_SECRET: "short" }, isDeployed: true };
  expect((await runPreflight(input, ports)).filter(({ level }) => level === "fault")).toEqual([
    { level: "fault", text: "SESSION_SECRET is shorter than 32 characters." },
  ]);
});

test("a socket that opens is closed, and one that is refused rejects", async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const closed = new Promise((resolve) => sockets.once("connection", (socket) => socket.once("close", resolve)));
  await systemPorts.openSocket(`ws://127.0.0.1:${port}`);
  await closed;
  await new Promise((resolve) => server.close(resolve));
  await expect(systemPorts.openSocket(`ws://127.0.0.1:${port}`)).rejects.toThrow("ECONNREFUSED");
});
