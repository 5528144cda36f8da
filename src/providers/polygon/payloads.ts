import { z } from "zod";

/** A number as nodes write it: hex without leading zeros. */
const Quantity = z
  .string()
  .regex(/^0x(0|[1-9a-f][0-9a-f]{0,12})$/i, "expected a quantity")
  .transform(Number);

const Hash = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{64}$/, "expected 32 bytes");

const Address = z
  .string()
  .toLowerCase()
  .regex(/^0x[0-9a-f]{40}$/, "expected an address");

/** Whole words of 32 bytes. */
const Words = z
  .string()
  .toLowerCase()
  .regex(/^0x([0-9a-f]{64})*$/, "expected words of 32 bytes");

export const ChainId = Quantity;
export const BlockNumber = Quantity;

/** A row of `eth_getLogs`. Null block fields belong to logs that are not mined. */
export const ChainLog = z.object({
  address: Address,
  topics: z.array(Hash).max(4),
  data: Words,
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  /** True for a log of a block that was replaced. */
  removed: z.literal(false, "expected a log of the current chain").optional(),
});

export type ChainLog = z.output<typeof ChainLog>;

export const ChainLogs = z.array(z.unknown());

/** The header of `eth_getBlockByNumber`; null when the node does not have the block. */
export const Header = z.object({ number: Quantity, hash: Hash, parentHash: Hash, timestamp: Quantity }).nullable();

/** A response of JSON-RPC 2.0: a result or an error. */
export const RpcResponse = z.union([
  z.object({ id: z.number(), error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
