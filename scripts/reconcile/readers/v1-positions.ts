import { z } from "zod";
import {
  AmountMicro,
  ConditionId,
  Probability,
  TokenId,
  WalletAddress,
} from "../../../src/providers/polymarket/payloads/fields.ts";
import type { RecordingFacts, OpenFigures, ProviderPosition } from "../recording-facts.ts";
import { AnyText, Price, SignedMicro } from "./fields.ts";
import { defineReader, type FileContext, type ReadRow } from "./reader.ts";

const Position = z.object({
  proxyWallet: WalletAddress,
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

/** v1 `/positions`: open positions, including resolved ones that were not redeemed. */
export const v1Positions = defineReader({
  shape: "v1 positions",
  has: ["proxyWallet", "asset", "conditionId", "size", "avgPrice", "initialValue", "cashPnl", "realizedPnl"],
  schema: OpenPosition,
  take: (facts, rows, context) =>
    addPositions(facts, rows, context, (row) => ({
      openSharesMicro: row.size,
      open: {
        initialValueUsd: row.initialValue,
        currentValueUsd: row.currentValue,
        cashPnlMicro: row.cashPnl,
        percentPnl: row.percentPnl,
        percentRealizedPnl: row.percentRealizedPnl,
      },
    })),
});

/** v1 `/closed-positions`: positions closed by sale or redemption. */
export const v1ClosedPositions = defineReader({
  shape: "v1 closed positions",
  has: ["proxyWallet", "asset", "conditionId", "avgPrice", "totalBought", "realizedPnl", "curPrice"],
  lacks: ["size", "initialValue"],
  schema: Position,
  take: (facts, rows, context) => addPositions(facts, rows, context, () => ({ openSharesMicro: 0n, open: null })),
});

function addPositions<Row extends Position>(
  facts: RecordingFacts,
  rows: readonly ReadRow<Row>[],
  { name }: FileContext,
  rest: (row: Row) => { openSharesMicro: bigint; open: OpenFigures | null },
): void {
  const stepMicro = stepOf(rows.map(({ row }) => row));
  for (const { row } of rows) {
    facts.markets.add(row.conditionId, row.outcomeIndex, row.asset);
    facts.markets.add(row.conditionId, 1 - row.outcomeIndex, row.oppositeAsset);
    const { open, openSharesMicro } = rest(row);
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
      openSharesMicro: openSharesMicro,
      realizedMicro: row.realizedPnl,
      price: row.curPrice,
      averagePrice: row.avgPrice,
      open,
    } satisfies ProviderPosition);
  }
}

/**
 * The provider printed six decimals in 2025 and cut them to four later. JSON drops zeroes, so the whole file
 * decides.
 */
function stepOf(rows: readonly Position[]): bigint {
  const isFine = rows.some(
    (row) => [row.totalBought, row.realizedPnl].some((micro) => micro % 100n !== 0n) || hasFineAverage(row),
  );
  return isFine ? 1n : 100n;
}

const hasFineAverage = ({ avgPrice }: Position): boolean => (String(avgPrice).split(".")[1] ?? "").length > 4;
