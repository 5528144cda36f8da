import { z } from "zod";
import { loosePrice, tokenId } from "./common.ts";

const Level = z.object({ price: loosePrice.pipe(z.string()), size: z.string().regex(/^\d+(\.\d+)?$/) });

/** A book: the best level is the last of each side. */
export const Book = z.object({
  asset_id: tokenId,
  timestamp: z
    .string()
    .regex(/^\d{10,16}$/)
    .transform((ms) => new Date(Number(ms))),
  bids: z.array(Level),
  asks: z.array(Level),
  last_trade_price: loosePrice,
});

export type Book = z.output<typeof Book>;

export const Books = z.array(z.unknown());
