import { indexerFills, indexerFillsWithTransaction, orderFills } from "./extracts.ts";
import type { Reader } from "./reader.ts";
import { boardResponses, lifetimeProfits, polledBoards, profilePages, walletValues } from "./totals.ts";
import { v1ClosedPositions, v1Positions } from "./v1-positions.ts";
import { v1Activity, v1Trades } from "./v1-trades.ts";

export const READERS: readonly Reader[] = [
  v1Positions,
  v1ClosedPositions,
  v1Activity,
  v1Trades,
  indexerFills,
  indexerFillsWithTransaction,
  orderFills,
  lifetimeProfits,
  profilePages,
  polledBoards,
  boardResponses,
  walletValues,
];
