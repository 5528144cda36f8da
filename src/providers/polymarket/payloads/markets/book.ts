import { z } from "zod";
import { AmountMicro, OptionalProbability, Probability, TokenId } from "../fields.ts";

const Level = z.object({ price: Probability, size: AmountMicro });

/** An order book of the CLOB. The time is epoch milliseconds, as a string. */
export const Book = z.object({
  asset_id: TokenId,
  timestamp: z
    .string()
    .regex(/^\d{13}$/, "expected epoch milliseconds")
    .transform((ms) => new Date(Number(ms))),
  bids: z.array(Level),
  asks: z.array(Level),
  last_trade_price: OptionalProbability,
});

export type Book = z.output<typeof Book>;
export type Level = z.output<typeof Level>;

/** The response of `/books`: a bare array. */
export const BookList = z.array(z.unknown());
