import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import { startRelay, type Relay, type RelaySettings } from "../../../../scripts/relay/relay-server.ts";
import { ProviderRefused, ProviderUnavailable } from "../../../../src/platform/provider.ts";
import { relayHeaders } from "../../../../src/providers/polymarket/http/through-relay.ts";
import { connectFromWorker } from "../../../../src/providers/polymarket/sockets/connect-from-worker.ts";
import { providerAt } from "../../providers/polymarket/provider-at-endpoint.ts";
import { aReplay, trades } from "../provider/provider-recordings.ts";

const TOKEN = "a-relay-token-of-32-characters-or-more";
const PATH = "/data/v2/trades";
const hostOf = (url: string) => new URL(url).host;

afterEach(() => vi.restoreAllMocks());

async function aRelay(allowedHosts: readonly string[], facts: Partial<RelaySettings> = {}): Promise<Relay> {
  const settings = {
    token: TOKEN,
    allowedHosts,
    timeoutMs: 5_000,
    bind: "127.0.0.1",
    port: 0,
    recording: null,
    ...facts,
  };
  const relay = await startRelay(settings);
  onTestFinished(() => relay.stop());
  return relay;
}

/** The provider's endpoint with six trades, and the product's client for it behind a relay. */
async function aRelayedProvider(facts: Partial<RelaySettings> = {}, token = TOKEN) {
  const endpoint = await aReplay({ "t.ndjson": trades(6) });
  const relay = await aRelay([hostOf(endpoint.dataUrl)], facts);
  return { endpoint, relay, ...providerAt(endpoint, { url: relay.url, token }) };
}

/** A host that records what it receives. */
async function aHost(respond: { status: number; headers?: Record<string, string> } = { status: 200 }) {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    response.writeHead(respond.status, respond.headers).end("[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const failureOf = async (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => null,
    (error: unknown) => error,
  );

describe("the product's client", () => {
  test("reads through a relay what it reads directly", async () => {
    const { endpoint, provider } = await aRelayedProvider();
    const page = await provider.listTrades("takers", null);
    expect(page.rows).toHaveLength(6);
    expect(page).toEqual(await providerAt(endpoint).provider.listTrades("takers", null));
  });

  test("gets the provider's status and Retry-After", async () => {
    const { endpoint, provider, waits } = await aRelayedProvider();
    endpoint.setFaults([{ path: PATH, kind: "status", status: 429, retryAfterSeconds: 7 }]);
    expect((await provider.listTrades("takers", null)).rows).toHaveLength(6);
    expect(Math.max(...waits)).toBeGreaterThan(6_000);
    endpoint.setFaults([{ path: PATH, kind: "status", status: 404 }]);
    const failure = await failureOf(provider.listTrades("takers", null));
    expect(failure).toBeInstanceOf(ProviderRefused);
    expect(String(failure)).toContain("status 404");
  });

  test.for(["garbage", "truncated_json", "cut", "closed"] as const)(
    "makes another attempt after the fault %s behind the relay",
    async (kind) => {
      const { endpoint, provider, waits } = await aRelayedProvider();
      endpoint.setFaults([{ path: PATH, kind }]);
      expect((await provider.listTrades("takers", null)).rows).toHaveLength(6);
      expect(waits).toHaveLength(1);
    },
  );

  test("finds the provider unavailable when it does not answer the relay in time", async () => {
    const { endpoint, provider, waits } = await aRelayedProvider({ timeoutMs: 20 });
    endpoint.setFaults([{ path: PATH, kind: "silent", times: Infinity }]);
    const failure = await failureOf(provider.listTrades("takers", null));
    expect(failure).toEqual(new ProviderUnavailable("data.trades: relay: target_timed_out", null));
    expect(waits).toHaveLength(3);
  });

  test("handles a relay that is away like a provider that is away", async () => {
    const direct = await aReplay({ "t.ndjson": trades(6) });
    await direct.stop();
    const { relay, provider, waits } = await aRelayedProvider();
    await relay.stop();
    const withoutProvider = providerAt(direct);
    const failure = await failureOf(provider.listTrades("takers", null));
    expect(failure).toEqual(new ProviderUnavailable("data.trades: the connection failed", null));
    expect(String(failure)).toBe(String(await failureOf(withoutProvider.provider.listTrades("takers", null))));
    expect(waits).toEqual(withoutProvider.waits);
  });

  test("finds the provider unavailable when the relay cannot reach it", async () => {
    const { endpoint, provider, waits } = await aRelayedProvider();
    await endpoint.stop();
    const failure = await failureOf(provider.listTrades("takers", null));
    expect(failure).toEqual(new ProviderUnavailable("data.trades: relay: target_unreachable", null));
    expect(waits).toHaveLength(3);
  });

  test("takes a wrong token for an outage, never for a refusal of the provider", async () => {
    const { provider } = await aRelayedProvider({}, `${TOKEN}!`);
    const failure = await failureOf(provider.listTrades("takers", null));
    expect(failure).toEqual(new ProviderUnavailable("data.trades: relay: unauthorized", null));
  });

  test.for([200, 404, 422])("takes status %i of something that is no relay for an outage", async (status) => {
    const { url } = await aHost({ status, headers: { "content-type": "application/json" } });
    const { provider } = providerAt(await aReplay({ "t.ndjson": trades(6) }), { url, token: TOKEN });
    const failure = await failureOf(provider.listTrades("takers", null));
    expect(failure).toEqual(new ProviderUnavailable(`data.trades: relay: status ${status}`, null));
  });
});

/** A request as the client sends it. */
const ask = (relay: Relay, target: string, { token = TOKEN, ...init }: RequestInit & { token?: string } = {}) =>
  fetch(relay.url, { ...init, headers: relayHeaders({ url: relay.url, token }, target), redirect: "manual" });

test("neither the token nor the target reaches the provider", async () => {
  const host = await aHost();
  const relay = await aRelay([hostOf(host.url)]);
  expect((await ask(relay, `${host.url}/path`, { method: "POST", body: "{}" })).status).toBe(200);
  expect(host.received).toHaveLength(1);
  expect(host.received[0]).toMatchObject({ host: hostOf(host.url), "content-length": "2" });
  expect(host.received[0]).not.toHaveProperty("relay-target");
  expect(JSON.stringify(host.received)).not.toContain(TOKEN);
});

test.for(["", "another-token-of-32-characters-or-more", TOKEN.slice(0, -1)])(
  "the token %j is refused, and nothing is forwarded",
  async (token) => {
    const host = await aHost();
    const relay = await aRelay([hostOf(host.url)]);
    const { status, headers } = await ask(relay, host.url, { token });
    expect([status, headers.get("relay-outcome")]).toEqual([401, "unauthorized"]);
    expect(host.received).toEqual([]);
  },
);

test("hosts outside the list are refused, in every spelling", async () => {
  const allowed = await aHost();
  const other = await aHost();
  const relay = await aRelay([hostOf(allowed.url), "gamma-api.polymarket.com"]);
  const targets = [
    other.url,
    `http://${hostOf(allowed.url)}@${hostOf(other.url)}/`,
    `http://user:password@${hostOf(allowed.url)}/`,
    "http://gamma-api.polymarket.com/events",
    "https://gamma-api.polymarket.com:8443/events",
    "https://gamma-api.polymarket.com.example.com/events",
    "file:///etc/passwd",
    "/events",
    "",
  ];
  for (const target of targets) {
    const { status, headers } = await ask(relay, target);
    expect([target, status, headers.get("relay-outcome")]).toEqual([target, 403, "target_refused"]);
  }
  expect([allowed.received, other.received]).toEqual([[], []]);
});

test("a redirect of the provider is not followed", async () => {
  const other = await aHost();
  const host = await aHost({ status: 302, headers: { location: other.url } });
  const relay = await aRelay([hostOf(host.url), hostOf(other.url)]);
  const { status, headers } = await ask(relay, host.url);
  expect([status, headers.get("location"), headers.get("relay-outcome")]).toEqual([302, null, "forwarded"]);
  expect(other.received).toEqual([]);
});

test("a body of more than a megabyte is refused", async () => {
  const host = await aHost();
  const relay = await aRelay([hostOf(host.url)]);
  const failure = await ask(relay, host.url, { method: "POST", body: "x".repeat(1_000_001) });
  expect([failure.status, failure.headers.get("relay-outcome")]).toEqual([413, "body_too_large"]);
  expect(host.received).toEqual([]);
});

test("a relay without a token of 32 characters does not start", async () => {
  await expect(aRelay([], { token: "short" })).rejects.toThrow("at least 32 characters");
});

describe("sockets", () => {
  /** Sends a text. @returns the first one received, or the status with which the handshake is refused */
  const exchange = (relay: Relay, target: string, token = TOKEN): Promise<string | number> =>
    new Promise((resolve, reject) => {
      const headers = relayHeaders({ url: relay.url, token }, target);
      const socket = new WebSocket(relay.url.replace("http", "ws"), { headers });
      onTestFinished(() => socket.terminate());
      socket.once("open", () => socket.send("subscribe"));
      socket.once("message", (data) => resolve(String(data)));
      socket.once("unexpected-response", (_request, { statusCode = 0 }) => resolve(statusCode));
      // A socket that is ended while it opens has another error.
      socket.on("error", reject);
    });

  const aScoreSocket = (): Promise<ProviderEndpoint> =>
    aReplay({ "frames.json": [{ gameId: 1, status: "InProgress", live: true }] });

  test("a socket is relayed both ways, without the token", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(server, "listening");
    onTestFinished(() => server.close());
    const received: IncomingHttpHeaders[] = [];
    server.on("connection", (socket, { headers }) => {
      received.push(headers);
      socket.on("message", (text) => socket.send(`echo ${String(text)}`));
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await exchange(await aRelay([host]), `ws://${host}/sports`)).toBe("echo subscribe");
    expect(received).toHaveLength(1);
    expect(received[0]?.host).toBe(host);
    expect(JSON.stringify(received)).not.toContain(TOKEN);
  });

  test("the provider's score socket opens through the relay", async () => {
    const { sportsSocketUrl } = await aScoreSocket();
    expect(await exchange(await aRelay([hostOf(sportsSocketUrl)]), sportsSocketUrl)).toBe("ping");
  });

  test("a wrong token and a host outside the list open no socket", async () => {
    const { sportsSocketUrl } = await aScoreSocket();
    const relay = await aRelay([hostOf(sportsSocketUrl)]);
    expect(await exchange(relay, sportsSocketUrl, "another-token-of-32-characters-or-more")).toBe(401);
    expect(await exchange(relay, "wss://example.com/ws")).toBe(403);
    expect(await exchange(relay, "ws://sports-api.polymarket.com/ws")).toBe(403);
  });

  test("a provider that is away opens no socket", async () => {
    const relay = await aRelay(["127.0.0.1:9"]);
    expect(await exchange(relay, "ws://127.0.0.1:9/sports")).toBe(502);
  });

  test("the Worker opens its socket at the relay, and sends the token there only", async () => {
    const socket = { accept: vi.fn() };
    const sent = vi.spyOn(globalThis, "fetch").mockResolvedValue({ webSocket: socket } as unknown as Response);
    const relay = { url: "https://relay.example.test", token: TOKEN };
    expect(await connectFromWorker({ relay })("wss://provider.example.test/ws")).toBe(socket);
    expect(await connectFromWorker({ relay: null })("wss://provider.example.test/ws")).toBe(socket);
    const upgrade = { upgrade: "websocket" };
    expect(sent.mock.calls.map(([url, init]) => [url, init?.headers])).toEqual([
      [relay.url, { ...upgrade, authorization: `Bearer ${TOKEN}`, "relay-target": "wss://provider.example.test/ws" }],
      ["https://provider.example.test/ws", upgrade],
    ]);
  });
});
