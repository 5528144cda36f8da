import { z } from "zod";
import { ConditionId, EpochSeconds, PositiveMicro, Probability, TokenId, TxHash, Wallet } from "./fields.ts";

/** The envelope of a live frame; other topics and types than ours pass by. */
export const LiveFrame = z.object({ topic: z.string(), type: z.string(), payload: z.unknown() });

/** What the socket says instead of a frame when it refuses a subscription. */
export const LiveRefusal = z.object({ statusCode: z.number().int().min(400) });

/** A trade as the live socket tells it: camelCase, the wallet in checksum case, the time of the match (about a second before the block). */
export const LiveTrade = z.object({
  proxyWallet: Wallet,
  asset: TokenId,
  conditionId: ConditionId,
  side: z.enum(["BUY", "SELL"]),
  size: PositiveMicro,
  price: Probability,
  timestamp: EpochSeconds,
  transactionHash: TxHash,
});

export type LiveTrade = z.output<typeof LiveTrade>;
