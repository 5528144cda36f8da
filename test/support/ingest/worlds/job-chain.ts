import type { BlockHeader, Chain, ChainFill } from "../../../../src/platform/chain.ts";
import { hash } from "../../providers/generated-chain.ts";
import { tokenOf, walletOf } from "../provider/provider-trades.ts";

const FIRST = 90_000_000;
const BLOCKS = 20;
const blockHash = (number: number) => hash(`job block ${number}`);

/** The state of a job that has compared all blocks before the first. */
export const JOB_CHAIN_START = { nextBlock: FIRST, lastHash: blockHash(FIRST - 1), stored: 0 };

/**
 * Twenty blocks of a chain with a large trade and its maker that no feed of `aBusyProvider` shows, and a fill of an
 * unknown market.
 */
export function aJobChain(nowMs: number): Chain {
  const header = (number: number): BlockHeader => ({
    number,
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    timestamp: Math.floor(nowMs / 1000) - 600 + 2 * (number - FIRST),
  });
  const fill = (block: number, logIndex: number, facts: Partial<ChainFill>): ChainFill => ({
    txHash: hash(`job transaction ${block}`),
    blockNumber: block,
    blockHash: blockHash(block),
    logIndex,
    exchange: "0xe111180000d2663c0091e4f400237545b87b996b",
    orderHash: hash(`job order ${block} ${logIndex}`),
    trader: walletOf(1),
    isTaker: true,
    counterparty: null,
    side: "BUY",
    tokenId: tokenOf(4, 0),
    sharesMicro: 20_000_000_000n,
    usdMicro: 8_000_000_000n,
    feeMicro: 0n,
    tradedAtMs: header(block).timestamp * 1000,
    ordersMatched: { logIndex: 3, exchange: "ctf_v2" },
    ...facts,
  });
  const maker = { trader: walletOf(2), isTaker: false, counterparty: walletOf(1), side: "SELL" } as const;
  const fills = [fill(FIRST + 3, 1, maker), fill(FIRST + 3, 2, {}), fill(FIRST + 5, 1, { tokenId: "999" })];
  return {
    newestBlock: async () => FIRST + BLOCKS - 1 + 64,
    header: async (number) => header(number),
    readFills: async ({ from, to }) => ({
      fills: fills.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to),
      quarantined: [],
      first: header(from),
      last: header(to),
    }),
  };
}
