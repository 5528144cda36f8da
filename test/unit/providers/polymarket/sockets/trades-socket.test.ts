import { describe, expect, test } from "vitest";
import type { QuarantinedRecord } from "../../../../../src/platform/provider.ts";
import type { RtdsTrade } from "../../../../../src/providers/polymarket/mapping/trades/live-trade.ts";
import type { SocketState } from "../../../../../src/providers/polymarket/sockets/reconnecting-socket.ts";
import { openTradesSocket } from "../../../../../src/providers/polymarket/sockets/trades-socket.ts";
import { FakeServer, flushMicrotasks } from "../../../../support/providers/fake-socket.ts";
import { FakeTime } from "../../../../support/providers/fake-time.ts";
import { CONDITION, TX, WALLET } from "../../../../support/providers/payloads.ts";

const aFrame = (facts: Record<string, unknown> = {}) => ({
  topic: "activity",
  type: "trades",
  timestamp: 1_790_000_000_053,
  payload: {
    proxyWallet: `0x${"aB".repeat(20)}`,
    asset: "1001",
    conditionId: CONDITION,
    side: "BUY",
    size: 2.7027,
    price: 0.26,
    timestamp: 1_790_000_000,
    transactionHash: TX,
    ...facts,
  },
});

async function aLiveSocket(random = () => 0.5) {
  const server = new FakeServer();
  const time = new FakeTime();
  const trades: RtdsTrade[] = [];
  const quarantined: QuarantinedRecord[] = [];
  const states: SocketState[] = [];
  const socket = openTradesSocket({
    url: "wss://live.test",
    connect: server.connect,
    clock: time,
    random,
    onTrade: (trade) => trades.push(trade),
    onQuarantined: (invalid) => quarantined.push(invalid),
    onState: (state) => states.push(state),
  });
  socket.start();
  await flushMicrotasks();
  return { server, time, trades, quarantined, states, socket };
}

test("the trades socket subscribes to trades and pings every five seconds", async () => {
  const { server, time } = await aLiveSocket();
  server.socket.receive(JSON.stringify(aFrame()));
  time.advance(10_000);
  expect(server.socket.sent).toEqual([
    '{"action":"subscribe","subscriptions":[{"topic":"activity","type":"trades"}]}',
    "PING",
    "PING",
  ]);
});

test("a trade of the socket has exact millionths and lower-case ids", async () => {
  const { server, trades } = await aLiveSocket();
  server.socket.receive(JSON.stringify(aFrame()));
  expect(trades).toEqual([
    {
      wallet: WALLET,
      conditionId: CONDITION,
      tokenId: "1001",
      side: "BUY",
      sharesMicro: 2_702_700n,
      // 2.7027 x 0.26
      usdMicro: 702_702n,
      txHash: TX,
      at: new Date(1_790_000_000_000),
    },
  ]);
});

test("several trades of one frame are all reported", async () => {
  const { server, trades } = await aLiveSocket();
  server.socket.receive(JSON.stringify([aFrame(), aFrame({ side: "SELL" })]));
  expect(trades.map((trade) => trade.side)).toEqual(["BUY", "SELL"]);
});

test("the empty first frame, pongs and other topics are ignored", async () => {
  const { server, trades, quarantined } = await aLiveSocket();
  for (const text of ["", "PONG", JSON.stringify({ ...aFrame(), topic: "comments" })]) server.socket.receive(text);
  expect([trades, quarantined]).toEqual([[], []]);
});

describe("invalid frames", () => {
  test.each([
    ["an invalid trade", JSON.stringify(aFrame({ size: -1 })), aFrame({ size: -1 })],
    ["an unknown frame", '{"hello":1}', { hello: 1 }],
    ["a truncated frame", '{"topic":"activity', '{"topic":"activity'],
  ])("%s is quarantined in full, and the socket continues", async (_, text, record) => {
    const { server, trades, quarantined } = await aLiveSocket();
    server.socket.receive(text);
    server.socket.receive(JSON.stringify(aFrame()));
    expect(quarantined.map((invalid) => invalid.record)).toEqual([record]);
    expect(trades).toHaveLength(1);
  });
});

describe("failed connections", () => {
  test("a connection that the provider closes is reported and opened again", async () => {
    const { server, time, states } = await aLiveSocket();
    server.socket.closeFromServer();
    expect(states.map(({ kind }) => kind)).toEqual(["connecting", "live", "down"]);
    time.advance(250);
    await flushMicrotasks();
    expect(states.map(({ kind }) => kind)).toEqual(["connecting", "live", "down", "connecting", "live"]);
    expect(server.socket.sent).toHaveLength(1);
  });

  test("a connection without a trade for fifteen seconds is closed, even if pongs arrive", async () => {
    const { server, time, states } = await aLiveSocket();
    for (let second = 0; second < 14; second++) {
      time.advance(1000);
      server.socket.receive("PONG");
    }
    expect(states.at(-1)).toEqual({ kind: "live" });
    time.advance(1000);
    expect(states.at(-1)).toMatchObject({ kind: "down", reason: "silent for 15000 ms" });
    expect(server.sockets[0]?.closed).toBe(true);
  });

  test("each trade restarts the silence timeout", async () => {
    const { server, time, states } = await aLiveSocket();
    for (let trade = 0; trade < 10; trade++) {
      time.advance(14_000);
      server.socket.receive(JSON.stringify(aFrame()));
    }
    expect(states.at(-1)).toEqual({ kind: "live" });
  });

  test("a refused subscription counts as a failed connection", async () => {
    const { server, states } = await aLiveSocket();
    server.socket.receive('{"message":"unauthorized","statusCode":401}');
    expect(states.at(-1)).toMatchObject({ kind: "down", reason: "the subscription was refused" });
  });

  test("a connection that is not established in time counts as failed", async () => {
    const time = new FakeTime();
    const states: SocketState[] = [];
    const callbacks = {
      onTrade: () => undefined,
      onQuarantined: () => undefined,
      onState: (state: SocketState) => states.push(state),
    };
    openTradesSocket({
      url: "wss://live.test",
      connect: () => new Promise(() => undefined),
      clock: time,
      random: () => 0.5,
      ...callbacks,
    }).start();
    time.advance(10_000);
    expect(states.at(-1)).toMatchObject({ kind: "down", reason: "not connected in time" });
  });
});

test("the reconnect back-off grows from a quarter second to thirty, with jitter, until a trade arrives", async () => {
  const { server, time, states } = await aLiveSocket(() => 0.999999);
  const backoffsMs: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    server.socket.closeFromServer();
    const state = states.at(-1);
    backoffsMs.push(state?.kind === "down" ? state.retryInMs : 0);
    time.advance(backoffsMs.at(-1) ?? 0);
    await flushMicrotasks();
  }
  expect(backoffsMs).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  server.socket.receive(JSON.stringify(aFrame()));
  server.socket.closeFromServer();
  expect(states.at(-1)).toMatchObject({ retryInMs: 250 });

  const { server: other, states: otherStates } = await aLiveSocket(() => 0);
  other.socket.closeFromServer();
  expect(otherStates.at(-1)).toMatchObject({ retryInMs: 125 });
});

test("a server that refuses at first is connected to in the end", async () => {
  const { server, time, states, socket } = await aLiveSocket();
  socket.stop();
  server.refusals = 2;
  socket.start();
  for (let attempt = 0; attempt < 3; attempt++) {
    await flushMicrotasks();
    time.advance(30_000);
  }
  await flushMicrotasks();
  expect(states.at(-1)).toEqual({ kind: "live" });
});

test("a stopped socket closes its connection, leaves no timer and reports nothing more", async () => {
  const { server, time, trades, states, socket } = await aLiveSocket();
  socket.stop();
  socket.stop();
  server.socket.receive(JSON.stringify(aFrame()));
  expect(states.filter(({ kind }) => kind === "stopped")).toHaveLength(1);
  expect(server.socket.closed).toBe(true);
  expect(trades).toEqual([]);
  time.advance(60_000);
  expect(server.sockets).toHaveLength(1);
  expect(time.pending).toBe(0);
});
