import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../../src/lib/timing/clock.ts";
import { describeError } from "../../../../src/platform/log/console-log.ts";
import { ChainNode, type ChainNodeSettings } from "../../../../src/providers/polygon/chain-node.ts";
import { readFills } from "../../../../src/providers/polygon/read-fills.ts";
import { generateBlocks } from "../../../support/providers/generated-chain.ts";
import {
  isOrderFilled,
  logIndexOf,
  ordersMatchedIndexOf,
  startGeneratedNode,
  type NodeBehaviour,
} from "../../../support/providers/generated-node.ts";

const BLOCKS = generateBlocks(11, 90_000_000, 60);
const RANGE = { from: 90_000_000, to: 90_000_059 };
const SETTINGS = { blocksPerCall: 16, concurrency: 3 };
const EXPECTED = BLOCKS.flatMap(({ number, second, fills }) =>
  fills.map((fill, index) => ({
    block: number,
    log: logIndexOf(index),
    ordersMatched: ordersMatchedIndexOf(fills, index),
    ms: second * 1000,
    ...fill,
  })),
);

const SECRET_URL = "https://node-of-account.example.test/v2/SECRETKEY123";

async function open(behaviour: NodeBehaviour = {}, settings = SETTINGS) {
  const endpoint = await startGeneratedNode(BLOCKS, behaviour);
  onTestFinished(() => endpoint.stop());
  const waits: number[] = [];
  const node = new ChainNode({
    url: endpoint.url,
    fetch: (url, init) => fetch(url, init),
    // A wait with a signal is the timeout of a call; a wait without one is the pause before the next attempt.
    clock: {
      now: () => 0,
      wait: (ms, signal) =>
        signal === undefined ? Promise.resolve(void waits.push(ms)) : systemClock.wait(ms, signal),
    },
    random: () => 0.5,
    timeoutMs: 5_000,
  });
  const ranges = () =>
    endpoint.calls
      .filter(({ method }) => method === "eth_getLogs")
      .map(({ params }) => {
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
        return { from: Number(fromBlock), to: Number(toBlock), length: Number(toBlock) - Number(fromBlock) + 1 };
      });
  return { node, waits, ranges, read: () => readFills(node, RANGE, settings) };
}

async function readAll(behaviour: NodeBehaviour, settings = SETTINGS) {
  const opened = await open(behaviour, settings);
  const { fills, quarantined } = await opened.read();
  expect(quarantined).toEqual([]);
  const found = fills.map((fill) => ({
    block: fill.blockNumber,
    log: fill.logIndex,
    ordersMatched: fill.ordersMatched?.logIndex,
    ms: fill.tradedAtMs,
    txHash: fill.txHash,
    exchange: fill.exchange,
    trader: fill.trader,
    counterparty: fill.counterparty ?? fill.exchange,
    isTaker: fill.isTaker,
    side: fill.side,
    tokenId: fill.tokenId,
    sharesMicro: fill.sharesMicro,
    usdMicro: fill.usdMicro,
    feeMicro: fill.feeMicro,
  }));
  expect(found).toEqual(EXPECTED);
  return opened;
}

test("every fill of the blocks is read, in the order of the chain", async () => {
  expect(EXPECTED.length).toBeGreaterThan(150);
  const { ranges } = await readAll({});
  expect(ranges().map(({ length }) => length)).toEqual([16, 16, 16, 12]);
});

test("a range that the node refuses is halved, and later ranges start smaller", async () => {
  const { ranges } = await readAll({
    fault: ({ method, params }) => {
      if (method !== "eth_getLogs") return null;
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      return Number(toBlock) - Number(fromBlock) >= 5
        ? { error: { code: -32005, message: "query returned more than 10000 results" } }
        : null;
    },
  });
  const answered = ranges().filter(({ length }) => length <= 5);
  expect(answered.reduce((sum, { length }) => sum + length, 0)).toBe(60);
  // Three calls at a time refuse at most 16, 16, 16 and their halves.
  expect(ranges().length - answered.length).toBeLessThanOrEqual(9);
});

test("a refusal in an HTTP error is understood as well", async () => {
  const text = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"Log response size exceeded."}}';
  const { waits } = await readAll({
    fault: ({ method }, number) => (method === "eth_getLogs" && number === 1 ? { status: 400, text } : null),
  });
  expect(waits).toEqual([]);
});

test("a single block that the node refuses ends the read with its number", async () => {
  const { read } = await open({
    fault: ({ method }) =>
      method === "eth_getLogs" ? { error: { code: -32005, message: "query returned more than 10000 results" } } : null,
  });
  await expect(read()).rejects.toThrow("does not list the logs of block 900000");
});

test("an answer of exactly a round number of logs may be cut and is read again in halves", async () => {
  const logs = Array.from({ length: 1_000 }, () => ({}));
  const { ranges } = await readAll({
    fault: ({ method }, number) => (method === "eth_getLogs" && number === 2 ? { result: logs } : null),
  });
  expect(
    ranges()
      .map(({ length }) => length)
      .toSorted((a, b) => a - b),
  ).toEqual([8, 8, 12, 16, 16, 16]);
});

test("calls that fail are repeated after growing pauses, or after Retry-After", async () => {
  const faults = [
    { status: 502, text: "bad gateway" },
    { error: { code: -32603, message: "internal error" } },
    { status: 429, text: "", headers: { "retry-after": "7" } },
    { result: "not a list" },
  ];
  const { waits } = await readAll(
    { fault: ({ method }, number) => (method === "eth_getBlockByNumber" ? (faults[number - 1] ?? null) : null) },
    { ...SETTINGS, concurrency: 1 },
  );
  expect(waits).toEqual([500, 1_000, 7_000, 4_000]);
});

test("a node that stays down is unavailable after five attempts, and its address is not in the message", async () => {
  const { read, waits } = await open({ fault: () => ({ status: 503, text: "down" }) });
  const failure: unknown = await read().catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "ProviderUnavailable", message: "eth_getBlockByNumber: status 503" });
  expect(waits.slice(-3)).toEqual([4_000, 4_000, 4_000]);
  expect(waits).toHaveLength(12);
});

test.each<readonly [string, ChainNodeSettings["fetch"]]>([
  ["a network error", () => Promise.reject(new TypeError(`Fetch API cannot load: ${SECRET_URL}`))],
  ["a refusal", async () => new Response("no key SECRETKEY123 for node-of-account.example.test", { status: 401 })],
  [
    "an error of JSON-RPC",
    async () => Response.json({ id: 1, error: { code: -32602, message: `${SECRET_URL} is wrong` } }),
  ],
])("no message of %s has a part of the node's address", async (_, fetch) => {
  const node = new ChainNode({
    url: SECRET_URL,
    fetch,
    clock: { now: () => 0, wait: (_ms, signal) => (signal === undefined ? Promise.resolve() : new Promise(() => {})) },
    random: () => 0,
    timeoutMs: 5_000,
  });
  const failure: unknown = await node.blockNumber().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  const text = describeError(failure);
  for (const part of ["SECRETKEY123", "node-of-account", "example.test"]) expect(text).not.toContain(part);
});

test.each([
  ["an unknown block", { result: null }, "does not have block"],
  [
    "a header of another chain",
    {
      result: {
        number: "0x55d4a85",
        hash: `0x${"ee".repeat(32)}`,
        parentHash: `0x${"ef".repeat(32)}`,
        timestamp: "0x68f62000",
      },
    },
    "the header of another block",
  ],
])("%s ends the read", async (_, fault, message) => {
  const { read } = await open({
    fault: ({ method }, number) => (method === "eth_getBlockByNumber" && number === 20 ? fault : null),
  });
  await expect(read()).rejects.toThrow(message);
});

test("headers that are not one chain end the read", async () => {
  const { read } = await open({
    fault: ({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] === "0x55d4a94"
        ? {
            result: {
              number: "0x55d4a94",
              hash: `0x${"ee".repeat(32)}`,
              parentHash: `0x${"ef".repeat(32)}`,
              timestamp: "0x68f62000",
            },
          }
        : null,
  });
  await expect(read()).rejects.toThrow("the chain of the node changed at block 90000020");
});

test("a log of a block with another hash ends the read", async () => {
  const { node } = await open();
  const logs = (await node.fillLogs(RANGE)) as Record<string, unknown>[];
  const { read } = await open({
    fault: ({ method }) =>
      method === "eth_getLogs" ? { result: [{ ...logs[0], blockHash: `0x${"ee".repeat(32)}` }] } : null,
  });
  await expect(read()).rejects.toThrow("changed at block 90000");
});

test.each([
  ["was removed", { removed: true }],
  ["is not in a block", { blockNumber: null, blockHash: null, logIndex: null }],
])("a log that %s ends the read", async (_, change) => {
  const { read } = await open({ changeLogs: (logs) => logs.map((log, n) => (n === 3 ? { ...log, ...change } : log)) });
  await expect(read()).rejects.toThrow("the node sent a log that is not of its current chain");
});

test("a log that cannot be decoded is quarantined with its reason", async () => {
  const { node } = await open();
  const logs = (await node.fillLogs({ from: RANGE.from, to: RANGE.from + 15 })) as Record<string, unknown>[];
  const { read } = await open({
    fault: ({ method }, number) =>
      method === "eth_getLogs" && number === 1 ? { result: [{ ...logs[0], data: "0x" }, ...logs.slice(1)] } : null,
  });
  const { fills, quarantined } = await read();
  expect(quarantined).toMatchObject([{ reason: "data: expected 7 words" }]);
  expect(fills).toHaveLength(EXPECTED.length - 1);
});

test("a fill whose OrdersMatched event cannot be decoded is read without it, as are the makers of its order", async () => {
  const { node } = await open();
  const logs = (await node.fillLogs({ from: RANGE.from, to: RANGE.from + 15 })) as Record<string, unknown>[];
  const place = logs.findIndex((log) => !isOrderFilled(log));
  const { read } = await open({
    fault: ({ method }, number) =>
      method === "eth_getLogs" && number === 1
        ? { result: logs.map((log, index) => (index === place ? { ...log, data: "0x" } : log)) }
        : null,
  });
  const { fills, quarantined } = await read();
  expect(quarantined).toMatchObject([{ reason: "data: expected 4 words" }]);
  expect(fills).toHaveLength(EXPECTED.length);
  const tx = EXPECTED[0]?.txHash;
  const withoutEvent = fills.filter(({ ordersMatched }) => ordersMatched === null);
  expect(withoutEvent).toEqual(fills.filter(({ txHash }) => txHash === tx));
});
