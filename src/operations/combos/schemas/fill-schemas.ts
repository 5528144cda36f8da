import { z } from "zod";
import { GRADES } from "../../../domain/traders/grades.ts";
import { EXAMPLE_WALLET_ADDRESS, nullableUsername } from "../../shared-fields.ts";
import { comboConditionId, comboLegCount, comboLegs, comboStatus, comboStatusReason } from "./leg-schemas.ts";

export const ComboFill = z
  .object({
    id: z.string().meta({ description: "The fill's pe_ id.", example: "pe_901" }),
    block_number: z.int().meta({
      description:
        "Block of the fill. While `chain_position_known` is false: the second of `block_timestamp`, in Unix seconds, " +
        "because the provider's trade feed has no block numbers.",
      example: 1_795_176_000,
    }),
    log_index: z.int().meta({
      description:
        "Index of the fill's OrderFilled event among the logs of the block, starting at 0. While " +
        "`chain_position_known` is false: the number of the fill in our records, which no two fills share.",
      example: 901,
    }),
    chain_position_known: z.boolean().meta({
      description:
        "Whether `block_number` and `log_index` are those of the chain. It becomes true once the chain was read, where " +
        "this deployment reads it; the numbers then change once.",
      example: false,
    }),
    block_timestamp: z.iso
      .datetime()
      .meta({ description: "Settlement time of the fill, UTC.", example: "2026-11-20T12:00:00.000Z" }),
    tx_hash: z.string().meta({
      description: "Hash of the settlement transaction: 0x and 64 hex digits.",
      example: `0x${"ab".repeat(32)}`,
    }),
    trader: z
      .string()
      .nullable()
      .meta({ description: "Wallet address of the taker, lower case.", example: EXAMPLE_WALLET_ADDRESS }),
    trader_name: nullableUsername,
    trader_grade: z.enum(GRADES).nullable().meta({
      description: "The taker's current grade; S is the best, F the worst. Null without a grade.",
      example: "A",
    }),
    last_traded_at: z.iso.datetime().nullable().meta({
      description:
        "Time of the taker's newest recorded fill, split, merge or conversion in any market, UTC; null while unknown.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    action: z.enum(["buy", "sell"]).meta({ description: "Whether the taker bought or sold.", example: "buy" }),
    condition_id: comboConditionId,
    outcome_index: z.int().nullable().meta({
      description: "The traded side: 0 YES, which pays when all legs win, 1 NO. Null while unknown.",
      example: 0,
    }),
    shares: z.string().meta({ description: "Shares, an exact decimal.", example: "400.000000" }),
    collateral_usdc: z.string().meta({
      description: "Dollars paid or received, without the fee, an exact decimal.",
      example: "100.000000",
    }),
    price: z.string().nullable().meta({
      description: "Dollars per share of the traded side, with at most six decimals; null for zero shares.",
      example: "0.25",
    }),
    price_yes: z.string().nullable().meta({
      description: "The same for the YES side: 1 minus the price of NO. Null without a price or a known side.",
      example: "0.25",
    }),
    fee_usdc: z
      .string()
      .nullable()
      .meta({
        description:
          "The taker's fee in dollars, an exact decimal; null while unknown. The provider's trade feed has no fees, the " +
          "activity of a followed trader has.",
        example: "1.250000",
      }),
    leg_count: comboLegCount,
    status: comboStatus,
    status_reason: comboStatusReason,
    won_legs: z
      .int()
      .nullable()
      .meta({ description: "Number of legs of state won; null until the legs are known.", example: 1 }),
    payout_multiplier: z
      .string()
      .nullable()
      .meta({
        description:
          "Shares per dollar, without the fee: what one dollar pays when the bought side wins. A decimal truncated to " +
          "six places; null for a sell.",
        example: "4.000000",
      }),
    legs: comboLegs,
  })
  .meta({ id: "ComboFill", description: "One execution of a combo, as the fill of its taker." });
