import { onTestFinished } from "vitest";
import { openChain } from "../../../src/providers/polygon/open-chain.ts";
import type { Chain } from "../../../src/platform/chain.ts";
import { systemClock } from "../../../src/lib/timing/clock.ts";
import type { GeneratedBlock } from "../providers/generated-chain.ts";
import { startGeneratedNode, type GeneratedNode, type NodeBehaviour } from "../providers/generated-node.ts";

/** The product's client of a generated node, which ends with the test. */
export async function openGeneratedChain(
  blocks: readonly GeneratedBlock[],
  behaviour: NodeBehaviour = {},
): Promise<{ chain: Chain; node: GeneratedNode }> {
  const node = await startGeneratedNode(blocks, behaviour);
  onTestFinished(() => node.stop());
  const chain = openChain({
    url: node.url,
    fetch: (address, init) => fetch(address, init),
    // A wait with a signal is the timeout of a call; a wait without one is the pause before the next attempt.
    clock: {
      now: () => 0,
      wait: (ms, signal) => (signal === undefined ? Promise.resolve() : systemClock.wait(ms, signal)),
    },
    random: () => 0,
    timeoutMs: 5_000,
    blocksPerCall: 25,
    concurrency: 4,
  });
  return { chain, node };
}
