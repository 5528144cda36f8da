import { z } from "zod";
import { AmountMicro, ConditionId, Probability, TokenId, Wallet } from "../../../src/providers/polymarket/payloads/fields.ts";
import type { Facts, OpenFigures, ProviderPosition } from "../facts.ts";
import { AnyText, Price, SignedMicro } from "./fields.ts";
import { defineReader, type FileContext, type ReadRow } from "./reader.ts";

const Position = z.object({
  proxyWallet: Wallet,
  asset: TokenId,
  oppositeAsset: z.union([z.literal(""), TokenId]),
  conditionId: ConditionId,
  outcomeIndex: z.number().int(),
  avgPrice: Price,
  totalBought: AmountMicro,
  realizedPnl: SignedMicro,
  curPrice: Probability,
  title: AnyText,
  eventSlug: AnyText,
});

type Position = z.output<typeof Position>;

const OpenPosition = Position.extend({
  size: AmountMicro,
  initialValue: z.number(),
  currentValue: z.number(),
  cashPnl: SignedMicro,
  percentPnl: z.number(),
  percentRealizedPnl: z.number(),
});

/** v1 `/positions`: what is still held, resolved and not redeemed included. */
export const v1Positions = defineReader({
  shape: "v1 positions",
  has: ["proxyWallet", "asset", "conditionId", "size", "avgPrice", "initialValue", "cashPnl", "realizedPnl"],
  schema: OpenPosition,
  take: (facts, rows, context) =>
    addPositions(facts, rows, context, (row) => ({
      heldSharesMicro: row.size,
      open: {
        initialValueUsd: row.initialValue,
        currentValueUsd: row.currentValue,
        cashPnlMicro: row.cashPnl,
        percentPnl: row.percentPnl,
        percentRealizedPnl: row.percentRealizedPnl,
      },
    })),
});

/** v1 `/closed-positions`: left by sale or redemption. */
export const v1ClosedPositions = defineReader({
  shape: "v1 closed positions",
  has: ["proxyWallet", "asset", "conditionId", "avgPrice", "totalBought", "realizedPnl", "curPrice"],
  lacks: ["size", "initialValue"],
  schema: Position,
  take: (facts, rows, context) => addPositions(facts, rows, context, () => ({ heldSharesMicro: 0n, open: null })),
});

function addPositions<Row extends Position>(
  facts: Facts,
  rows: readonly ReadRow<Row>[],
  { name }: FileContext,
  rest: (row: Row) => { heldSharesMicro: bigint; open: OpenFigures | null },
): void {
  const stepMicro = stepOf(rows.map(({ row }) => row));
  for (const { row } of rows) {
    facts.markets.learn(row.conditionId, row.outcomeIndex, row.asset);
    facts.markets.learn(row.conditionId, 1 - row.outcomeIndex, row.oppositeAsset);
    const { open, heldSharesMicro } = rest(row);
    facts.positions.push({
      file: name,
      wallet: row.proxyWallet,
      tokenId: row.asset,
      conditionId: row.conditionId,
      eventSlug: row.eventSlug,
      title: row.title,
      status: open === null ? "closed" : "open",
      stepMicro,
      boughtSharesMicro: row.totalBought,
      heldSharesMicro,
      realizedMicro: row.realizedPnl,
      price: row.curPrice,
      averagePrice: row.avgPrice,
      open,
    } satisfies ProviderPosition);
  }
}

/** The provider printed six decimals in 2025 and cut them to four later. JSON drops zeroes, so the whole file tells which it was. */
function stepOf(rows: readonly Position[]): bigint {
  const isFine = rows.some((row) => [row.totalBought, row.realizedPnl].some((micro) => micro % 100n !== 0n) || hasFineAverage(row));
  return isFine ? 1n : 100n;
}

const hasFineAverage = ({ avgPrice }: Position): boolean => (String(avgPrice).split(".")[1] ?? "").length > 4;
