import { ProviderRefused } from "../../platform/provider.ts";
import type { Chain } from "../../platform/chain.ts";
import { ChainNode, type ChainNodeSettings } from "./chain-node.ts";
import { POLYGON_CHAIN_ID } from "./exchanges.ts";
import { readFills } from "./read-fills.ts";
import type { ReadSettings } from "./read-fill-logs.ts";

/** The chain as one node shows it. Cheap to create: a client holds no connection. */
export function openChain(settings: ChainNodeSettings & ReadSettings): Chain {
  const node = new ChainNode(settings);
  return {
    async newestBlock() {
      const chainId = await node.chainId();
      if (chainId !== POLYGON_CHAIN_ID)
        throw new ProviderRefused(`The node is of chain ${chainId}, not of chain ${POLYGON_CHAIN_ID}.`);
      return node.blockNumber();
    },
    header: (number) => node.header(number),
    readFills: (range) => readFills(node, range, settings),
  };
}
