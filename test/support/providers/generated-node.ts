import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { hash, type GeneratedBlock, type GeneratedFill } from "./generated-chain.ts";

/*
 * A generated node: JSON-RPC over HTTP for generated blocks. It encodes logs by itself, from the layout of the
 * event in the contracts' source.
 */

const Call = z.object({ jsonrpc: z.literal("2.0"), id: z.number(), method: z.string(), params: z.array(z.unknown()) });
const LogFilter = z.object({
  fromBlock: z.string(),
  toBlock: z.string(),
  address: z.array(z.string()),
  topics: z.tuple([z.array(z.string())]),
});

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An answer in place of the node's own: an error of JSON-RPC, a result, or an HTTP status with a text. */
export type Fault =
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly result: unknown }
  | { readonly status: number; readonly text: string; readonly headers?: Record<string, string> };

export interface GeneratedNode {
  readonly url: string;
  readonly calls: readonly RpcCall[];
  stop(): Promise<void>;
}

export interface NodeBehaviour {
  readonly chainId?: number;
  /** How many blocks follow the last generated one. */
  readonly confirmations?: number;
  /** The number of the call is per method, from 1. */
  readonly fault?: (call: RpcCall, number: number) => Fault | null;
  /** What the node sends in place of the right logs. */
  readonly changeLogs?: (logs: readonly Record<string, unknown>[]) => readonly Record<string, unknown>[];
}

const ORDER_FILLED = "0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee";
const ORDERS_MATCHED = "0x174b3811690657c217184f89418266767c87e4805d09680c39fc9c031c0cab7c";

export const isOrderFilled = ({ topics }: Record<string, unknown>): boolean =>
  Array.isArray(topics) && topics[0] === ORDER_FILLED;

export async function startGeneratedNode(
  blocks: readonly GeneratedBlock[],
  { chainId = 137, confirmations = 100, fault = () => null, changeLogs = (logs) => logs }: NodeBehaviour = {},
): Promise<GeneratedNode> {
  const calls: RpcCall[] = [];
  const answer = ({ method, params }: RpcCall): Fault => {
    switch (method) {
      case "eth_chainId":
        return { result: hex(chainId) };
      case "eth_blockNumber":
        return { result: hex((blocks.at(-1)?.number ?? 0) + confirmations) };
      case "eth_getBlockByNumber":
        return { result: headerOf(blocks, Number(params[0])) };
      case "eth_getLogs":
        return { result: changeLogs(logsOf(blocks, LogFilter.parse(params[0]))) };
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist` } };
    }
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { id, method, params } = Call.parse(JSON.parse(body));
      calls.push({ method, params });
      const number = calls.filter((call) => call.method === method).length;
      const found = fault({ method, params }, number) ?? answer({ method, params });
      if ("status" in found) response.writeHead(found.status, found.headers).end(found.text);
      else
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, ...found }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: bigint | string) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");
const blockHash = (number: number) => hash(`block ${number}`);

/** The header of a generated block, or of an empty one before or after them. */
function headerOf(blocks: readonly GeneratedBlock[], number: number) {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return null;
  const second =
    blocks.find((block) => block.number === number)?.second ??
    (number < first.number ? first.second - 2 * (first.number - number) : last.second + 2 * (number - last.number));
  return {
    number: hex(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    timestamp: hex(second),
    transactions: [],
  };
}

function logsOf(
  blocks: readonly GeneratedBlock[],
  { fromBlock, toBlock, address, topics }: z.output<typeof LogFilter>,
) {
  return blocks
    .filter(({ number }) => number >= Number(fromBlock) && number <= Number(toBlock))
    .flatMap(({ number, fills }) => fills.flatMap((fill, index) => encodeLogs(fill, number, logIndexOf(index))))
    .filter((log) => topics[0].includes(log.topics[0] ?? ""))
    .filter((log) => address.some((one) => one.toLowerCase() === log.address.toLowerCase()));
}

/** Between the logs of fills are those of other contracts. */
export const logIndexOf = (fillOfBlock: number): number => 3 * fillOfBlock + 1;

/** The `OrdersMatched` event of each taker order follows its fill. */
export const ordersMatchedIndexOf = (fills: readonly GeneratedFill[], fillOfBlock: number): number =>
  logIndexOf(fills.findIndex((fill, index) => index >= fillOfBlock && fill.isTaker)) + 1;

/**
 * `OrderFilled` of 2026: three indexed fields, then side, token, both amounts, fee, builder and metadata.
 * `OrdersMatched`: the taker order's hash and maker, then side, token and both amounts.
 */
function encodeLogs(fill: GeneratedFill, number: number, logIndex: number) {
  const [given, got] = fill.side === "BUY" ? [fill.usdMicro, fill.sharesMicro] : [fill.sharesMicro, fill.usdMicro];
  const order = [fill.side === "BUY" ? 0n : 1n, BigInt(fill.tokenId), given, got];
  const orderHash = hash(`order ${number} ${logIndex}`);
  const trader = `0x${word(fill.trader)}`;
  const filled = [ORDER_FILLED, orderHash, trader, `0x${word(fill.counterparty)}`];
  return [
    encodeLog(fill, number, logIndex, filled, [...order, fill.feeMicro, 0n, 0n]),
    ...(fill.isTaker ? [encodeLog(fill, number, logIndex + 1, [ORDERS_MATCHED, orderHash, trader], order)] : []),
  ];
}

function encodeLog(
  fill: GeneratedFill,
  number: number,
  logIndex: number,
  topics: readonly string[],
  data: readonly bigint[],
) {
  return {
    // Nodes write addresses in any case.
    address: fill.exchange.toUpperCase().replace("0X", "0x"),
    topics,
    data: `0x${data.map(word).join("")}`,
    blockNumber: hex(number),
    blockHash: blockHash(number),
    transactionHash: fill.txHash,
    transactionIndex: "0x0",
    logIndex: hex(logIndex),
    removed: false,
  };
}
