import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { anEndpoint, aRecording, aReplay, getJson, trades } from "./recordings.ts";

/** Near the end of a five-minute market, when trades are many. */
const NOW = Date.parse("2026-11-18T20:04:00Z");
/** A world whose clock starts at NOW and then runs. */
const running = (startMs = NOW) => {
  const started = performance.now();
  return () => startMs + (performance.now() - started);
};

/** A connected socket and the texts it has received. */
async function connect(url: string): Promise<{ socket: WebSocket; texts: string[] }> {
  const socket = new WebSocket(url);
  const texts: string[] = [];
  socket.on("message", (data) => texts.push(data.toString()));
  onTestFinished(() => socket.terminate());
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return { socket, texts };
}

const subscribe = (type: string, topic = "activity") => JSON.stringify({ action: "subscribe", subscriptions: [{ topic, type }] });

const framesOf = (texts: readonly string[]) => texts.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));

test("the trade socket opens with an empty frame, answers PING, and pushes each trade before the feed has it", async () => {
  const { tradesSocketUrl, dataUrl } = await anEndpoint({ kind: "simulate", seed: 7, now: running() });
  const { socket, texts } = await connect(tradesSocketUrl);
  socket.send("PING");
  socket.send(subscribe("trades"));
  await vi.waitFor(() => expect(framesOf(texts).length).toBeGreaterThan(3), { timeout: 8000, interval: 50 });
  expect(texts[0]).toBe("");
  expect(texts).toContain("PONG");
  const [frame] = framesOf(texts);
  expect(frame).toMatchObject({ topic: "activity", type: "trades", connection_id: expect.any(String) });
  expect(frame.payload.proxyWallet).not.toBe(frame.payload.proxyWallet.toLowerCase());
  const feed = async () => (await getJson(`${dataUrl}/v2/trades?limit=500&taker_only=false`)).body.data;
  const inFeed = (rows: any[]) =>
    rows.find(
      (row) =>
        row.transaction_hash === frame.payload.transactionHash &&
        row.proxy_wallet === frame.payload.proxyWallet.toLowerCase() &&
        row.token_id === frame.payload.asset &&
        row.size === frame.payload.size,
    );
  await vi.waitFor(async () => expect(inFeed(await feed())).toBeDefined(), { timeout: 15_000, interval: 200 });
}, 30_000);

test("orders_matched has takers' rows only, one of a transaction", async () => {
  const { tradesSocketUrl } = await anEndpoint({ kind: "simulate", seed: 7, now: running() });
  const { socket, texts } = await connect(tradesSocketUrl);
  socket.send(subscribe("orders_matched"));
  await vi.waitFor(() => expect(framesOf(texts).length).toBeGreaterThan(3), { timeout: 10_000, interval: 50 });
  const hashes = framesOf(texts).map((frame) => frame.payload.transactionHash);
  expect(new Set(hashes).size).toBe(hashes.length);
}, 20_000);

test("one bad topic spoils the subscription", async () => {
  const { tradesSocketUrl } = await anEndpoint({ kind: "simulate", seed: 7, now: running() });
  const { socket, texts } = await connect(tradesSocketUrl);
  socket.send(subscribe("*", "comments"));
  await vi.waitFor(() => expect(framesOf(texts)[0]).toMatchObject({ statusCode: 401 }));
});

test("a silent socket stays open and says nothing; a refused one does not open; a cut one closes", async () => {
  const endpoint = await anEndpoint({ kind: "simulate", seed: 7, now: running() }, [{ path: "/rtds", kind: "silent" }]);
  const { socket, texts } = await connect(endpoint.tradesSocketUrl);
  socket.send(subscribe("trades"));
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect([socket.readyState, texts]).toEqual([WebSocket.OPEN, []]);
  endpoint.setFaults([{ path: "/rtds", kind: "status", status: 503 }]);
  await expect(connect(endpoint.tradesSocketUrl)).rejects.toThrow("503");
  endpoint.setFaults([{ path: "/rtds", kind: "cut", delayMs: 50 }]);
  const cut = await connect(endpoint.tradesSocketUrl);
  await vi.waitFor(() => expect(cut.socket.readyState).toBe(WebSocket.CLOSED));
});

test("the sports socket pushes every game and pings in text", async () => {
  const frame = {
    gameId: 42,
    leagueAbbreviation: "nfl",
    homeTeam: "LAC",
    awayTeam: "BUF",
    status: "InProgress",
    score: "3-16",
    period: "Q4",
    live: true,
    ended: false,
  };
  const { sportsSocketUrl } = await aReplay({ "frames.json": [frame] });
  const { texts } = await connect(sportsSocketUrl);
  await vi.waitFor(() => expect(texts).toContain("ping"));
  expect(framesOf(texts)).toEqual([frame]);
});

test("a replay at a speed shows records as their time comes and pushes them", async () => {
  const dir = await aRecording({ "t.ndjson": trades(60) });
  const { dataUrl, tradesSocketUrl } = await anEndpoint({ kind: "replay", dir, speed: 12 });
  const count = async () => (await getJson(`${dataUrl}/v2/trades?limit=100`)).body.data.length;
  const { socket, texts } = await connect(tradesSocketUrl);
  socket.send(subscribe("trades"));
  expect(await count()).toBeLessThan(45);
  await vi.waitFor(async () => expect(await count()).toBe(60), { timeout: 10_000, interval: 100 });
  expect(framesOf(texts).length).toBeGreaterThan(10);
}, 15_000);
