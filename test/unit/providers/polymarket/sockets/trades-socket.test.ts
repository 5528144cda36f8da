import { describe, expect, test } from "vitest";
import type { Misfit } from "../../../../../src/ports/provider.ts";
import type { RtdsTrade } from "../../../../../src/providers/polymarket/mapping/live-trade.ts";
import type { SocketState } from "../../../../../src/providers/polymarket/sockets/kept-socket.ts";
import { openTradesSocket } from "../../../../../src/providers/polymarket/sockets/trades-socket.ts";
import { FakeServer, settle } from "../../../../support/providers/fake-socket.ts";
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
  const misfits: Misfit[] = [];
  const states: SocketState[] = [];
  const socket = openTradesSocket({
    url: "wss://live.test",
    connect: server.connect,
    clock: time,
    random,
    onTrade: (trade) => trades.push(trade),
    onMisfit: (misfit) => misfits.push(misfit),
    onState: (state) => states.push(state),
  });
  socket.start();
  await settle();
  return { server, time, trades, misfits, states, socket };
}

test("it subscribes to trades, and pings every five seconds", async () => {
  const { server, time } = await aLiveSocket();
  server.socket.say(JSON.stringify(aFrame()));
  time.advance(10_000);
  expect(server.socket.sent).toEqual(['{"action":"subscribe","subscriptions":[{"topic":"activity","type":"trades"}]}', "PING", "PING"]);
});

test("a trade is told in exact millionths and lower case", async () => {
  const { server, trades } = await aLiveSocket();
  server.socket.say(JSON.stringify(aFrame()));
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

test("several trades in one frame are all told", async () => {
  const { server, trades } = await aLiveSocket();
  server.socket.say(JSON.stringify([aFrame(), aFrame({ side: "SELL" })]));
  expect(trades.map((trade) => trade.side)).toEqual(["BUY", "SELL"]);
});

test("the empty first frame, pongs and other topics pass by without a word", async () => {
  const { server, trades, misfits } = await aLiveSocket();
  for (const text of ["", "PONG", JSON.stringify({ ...aFrame(), topic: "comments" })]) server.socket.say(text);
  expect([trades, misfits]).toEqual([[], []]);
});

describe("what does not fit is set aside whole, and the socket goes on", () => {
  test.each([
    ["a broken trade", JSON.stringify(aFrame({ size: -1 })), aFrame({ size: -1 })],
    ["no frame at all", '{"hello":1}', { hello: 1 }],
    ["half a frame", '{"topic":"activity', '{"topic":"activity'],
  ])("%s", async (_, text, record) => {
    const { server, trades, misfits } = await aLiveSocket();
    server.socket.say(text);
    server.socket.say(JSON.stringify(aFrame()));
    expect(misfits.map((misfit) => misfit.record)).toEqual([record]);
    expect(trades).toHaveLength(1);
  });
});

describe("a connection that fails is opened anew, and says so", () => {
  test("when the provider closes it", async () => {
    const { server, time, states } = await aLiveSocket();
    server.socket.hangUp();
    expect(states.map(({ kind }) => kind)).toEqual(["connecting", "live", "down"]);
    time.advance(250);
    await settle();
    expect(states.map(({ kind }) => kind)).toEqual(["connecting", "live", "down", "connecting", "live"]);
    expect(server.socket.sent).toHaveLength(1);
  });

  test("when no trade comes for fifteen seconds, though pongs do", async () => {
    const { server, time, states } = await aLiveSocket();
    for (let second = 0; second < 14; second++) {
      time.advance(1000);
      server.socket.say("PONG");
    }
    expect(states.at(-1)).toEqual({ kind: "live" });
    time.advance(1000);
    expect(states.at(-1)).toMatchObject({ kind: "down", reason: "silent for 15000 ms" });
    expect(server.sockets[0]?.closed).toBe(true);
  });

  test("each trade puts the silence off", async () => {
    const { server, time, states } = await aLiveSocket();
    for (let turn = 0; turn < 10; turn++) {
      time.advance(14_000);
      server.socket.say(JSON.stringify(aFrame()));
    }
    expect(states.at(-1)).toEqual({ kind: "live" });
  });

  test("when the subscription is refused", async () => {
    const { server, states } = await aLiveSocket();
    server.socket.say('{"message":"unauthorized","statusCode":401}');
    expect(states.at(-1)).toMatchObject({ kind: "down", reason: "the subscription was refused" });
  });

  test("when nobody answers the connection", async () => {
    const time = new FakeTime();
    const states: SocketState[] = [];
    const nobody = { onTrade: () => undefined, onMisfit: () => undefined, onState: (state: SocketState) => states.push(state) };
    openTradesSocket({
      url: "wss://live.test",
      connect: () => new Promise(() => undefined),
      clock: time,
      random: () => 0.5,
      ...nobody,
    }).start();
    time.advance(10_000);
    expect(states.at(-1)).toMatchObject({ kind: "down", reason: "not connected in time" });
  });
});

test("rests grow from a quarter second to thirty, with jitter, until a trade comes", async () => {
  const { server, time, states } = await aLiveSocket(() => 0.999999);
  const rests: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    server.socket.hangUp();
    const state = states.at(-1);
    rests.push(state?.kind === "down" ? state.retryInMs : 0);
    time.advance(rests.at(-1) ?? 0);
    await settle();
  }
  expect(rests).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  server.socket.say(JSON.stringify(aFrame()));
  server.socket.hangUp();
  expect(states.at(-1)).toMatchObject({ retryInMs: 250 });

  const { server: other, states: itsStates } = await aLiveSocket(() => 0);
  other.socket.hangUp();
  expect(itsStates.at(-1)).toMatchObject({ retryInMs: 125 });
});

test("a server that refuses at first is joined in the end", async () => {
  const { server, time, states, socket } = await aLiveSocket();
  socket.stop();
  server.refusals = 2;
  socket.start();
  for (let turn = 0; turn < 3; turn++) {
    await settle();
    time.advance(30_000);
  }
  await settle();
  expect(states.at(-1)).toEqual({ kind: "live" });
});

test("stopped, it closes the connection, leaves no timer and hears nothing more", async () => {
  const { server, time, trades, states, socket } = await aLiveSocket();
  socket.stop();
  socket.stop();
  server.socket.say(JSON.stringify(aFrame()));
  expect(states.filter(({ kind }) => kind === "stopped")).toHaveLength(1);
  expect(server.socket.closed).toBe(true);
  expect(trades).toEqual([]);
  time.advance(60_000);
  expect(server.sockets).toHaveLength(1);
  expect(time.pending).toBe(0);
});
