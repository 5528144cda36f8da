import { z } from "zod";
import { ConditionId, EpochSeconds, PositiveMicro, Probability, TokenId, TxHash, WalletAddress } from "../fields.ts";

/** The envelope of a live frame. Frames of other topics and types are ignored. */
export const LiveFrame = z.object({ topic: z.string(), type: z.string(), payload: z.unknown() });

/** The message that the socket sends instead of a frame when it refuses a subscription. */
export const LiveRefusal = z.object({ statusCode: z.number().int().min(400) });

/**
 * A trade on the live socket: camelCase, the wallet address in checksum case, the time of the match (about a
 * second before the block).
 */
export const LiveTrade = z.object({
  proxyWallet: WalletAddress,
  asset: TokenId,
  conditionId: ConditionId,
  side: z.enum(["BUY", "SELL"]),
  size: PositiveMicro,
  price: Probability,
  timestamp: EpochSeconds,
  transactionHash: TxHash,
});

export type LiveTrade = z.output<typeof LiveTrade>;
