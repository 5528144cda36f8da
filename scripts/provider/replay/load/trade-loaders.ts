import type { z } from "zod";
import { UNKNOWN_OUTCOME } from "../../http/data/activity-rows.ts";
import { generatedCondition, generatedTransaction } from "../generated-ids.ts";
import { loader, type Loader } from "./loader.ts";
import {
  groupAcross,
  identityOf,
  looseIdentity,
  splitPolls,
  withoutFanOut,
  type RecordedTrade,
  type TradeFile,
} from "../recorded-trades.ts";
import { outcomeKey, type Recording } from "../recording.ts";
import * as shapes from "./shapes.ts";

const MICRO = 1e6;

const roundTo = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** Adds polled rows: repeats inside a poll are real, a repeat in another poll is the same row. */
function addPolled(recording: Recording, grain: TradeFile["grain"], trades: readonly RecordedTrade[]): void {
  recording.tradeFiles.push({ grain, groups: groupAcross(splitPolls(trades), identityOf) });
}

const v1Trades = loader("v1 trades", 1, shapes.V1Trade, (recording, rows) => {
  const trades = rows.map(({ row, line }): RecordedTrade => {
    recordV1Names(recording, row);
    return { ...v1Fields(row), side: row.side, usdcSize: null, role: "taker", line };
  });
  addPolled(recording, "fill", trades);
});

type V1Row = Pick<
  z.output<typeof shapes.V1Activity>,
  | "proxyWallet"
  | "conditionId"
  | "asset"
  | "outcomeIndex"
  | "outcome"
  | "title"
  | "slug"
  | "icon"
  | "eventSlug"
  | "name"
  | "pseudonym"
  | "bio"
  | "profileImage"
  | "size"
  | "price"
  | "timestamp"
  | "transactionHash"
>;

const v1Fields = (row: V1Row) => ({
  wallet: row.proxyWallet,
  tokenId: row.asset,
  size: row.size,
  price: row.price,
  timestamp: row.timestamp,
  transactionHash: row.transactionHash,
});

function recordV1Names(recording: Recording, row: V1Row): void {
  recording.recordProfile(row.proxyWallet, row);
  if (row.conditionId === "") return;
  recording.drafts.name(row.conditionId, {
    question: row.title,
    slug: row.slug,
    icon: row.icon,
    eventSlug: row.eventSlug,
  });
  recording.drafts.recordToken(row.conditionId, row.outcomeIndex, row.asset, row.outcome);
}

const v1Activity = loader("v1 activity", 1, shapes.V1Activity, (recording, rows) => {
  for (const { row } of rows) recordV1Names(recording, row);
  const trades = rows.flatMap(({ row, line }): RecordedTrade[] => {
    if (row.type !== "TRADE") return [];
    if (row.side === "" || row.asset === "") recording.unreadableRows += 1;
    if (row.side === "" || row.asset === "") return [];
    return [{ ...v1Fields(row), side: row.side, usdcSize: row.usdcSize, role: null, line }];
  });
  addPolled(recording, "fill", trades);
  const others = rows.flatMap(({ row }) =>
    row.type === "TRADE"
      ? []
      : [{ ...v1Fields(row), type: row.type, conditionId: row.conditionId, usdcSize: row.usdcSize }],
  );
  recording.activity.push(groupAcross(splitPolls(others), (row) => JSON.stringify(row)));
});

const ammTrades = loader("AMM trades", 1, shapes.AmmTrade, (recording, rows) => {
  const equalLines = new Map<string, number>();
  const lastPrice = new Map<string, number>();
  const trades = rows.flatMap(({ row, line }): RecordedTrade[] => {
    const ordinal = equalLines.get(line) ?? 0;
    equalLines.set(line, ordinal + 1);
    const conditionId = ammCondition(row.market);
    const draft = recording.drafts.name(conditionId, {
      question: ammTitle(row.market),
      slug: `replay-${row.market.replaceAll("_", "-")}`,
    });
    if (!draft.labels.includes(row.Outcome)) draft.labels.push(row.Outcome);
    recording.recordProfile(row.Account);
    const tokenId = recording.drafts.tokenOf(conditionId, draft.labels.indexOf(row.Outcome));
    // Dust with amount and shares rounded to 0 has no price; it gets the price of the previous trade in the
    // outcome.
    const price = row.Price === null ? (lastPrice.get(tokenId) ?? null) : exactPrice(row.Amount, row.Shares, row.Price);
    if (price === null) recording.unreadableRows += 1;
    if (price === null) return [];
    lastPrice.set(tokenId, price);
    const side = row.Type === "Buy" ? "BUY" : "SELL";
    const transactionHash = generatedTransaction(line, ordinal);
    return [
      {
        wallet: row.Account,
        tokenId,
        side,
        size: row.Shares,
        price,
        usdcSize: row.Amount,
        timestamp: row.Timestamp,
        transactionHash,
        role: "taker",
        line,
      },
    ];
  });
  // Every row is a separate trade, equal rows too: their derived transactions differ.
  recording.tradeFiles.push({ grain: "fill", groups: trades.map((trade) => [trade]) });
});

export const ammCondition = (market: string): string => generatedCondition(`amm ${market}`);
export const ammTitle = (market: string): string => `${market.replaceAll("_", " ")} (title not recorded)`;

/** The recorded price has four decimals. Amount / shares is more precise and is used where the two agree. */
function exactPrice(amount: number, shares: number, price: number): number {
  const ratio = shares > 0 ? roundTo(amount / shares, 10) : Number.NaN;
  return Math.abs(ratio - price) <= 0.000_051 ? ratio : price;
}

const largeTrades = loader("large trades", 2, shapes.LargeTrade, (recording, rows) => {
  for (const { row } of rows) {
    if (row.conditionId === undefined || row.outcomeIndex === undefined || row.outcomeIndex === UNKNOWN_OUTCOME)
      continue;
    recording.namedOutcomes.set(outcomeKey(row), { conditionId: row.conditionId, outcomeIndex: row.outcomeIndex });
  }
  const trades = rows.map(({ row, line }): RecordedTrade => {
    const { conditionId, outcomeIndex } = findOutcomeByText(recording, row);
    recording.drafts.name(conditionId, { question: row.title, eventSlug: row.eventSlug });
    const tokenId = recording.drafts.tokenOf(conditionId, outcomeIndex);
    recording.drafts.recordToken(conditionId, outcomeIndex, tokenId, row.outcome);
    recording.recordProfile(row.wallet, { name: row.name });
    // The recorder tracks wallets' entries (`repeatBuys`, and `entryPrice` in its follow-up), so its rows are
    // purchases.
    const size = roundTo(row.usd / row.price, 6);
    return {
      wallet: row.wallet,
      tokenId,
      side: "BUY",
      size,
      price: row.price,
      usdcSize: row.usd,
      timestamp: row.timestamp,
      transactionHash: row.tx,
      role: "taker",
      line,
    };
  });
  recording.tradeFiles.push({ grain: "order", groups: trades.map((trade) => [trade]) });
});

const FIRST_LABELS = ["Yes", "Over", "Up"];
const SECOND_LABELS = ["No", "Under", "Down"];

/**
 * Finds the outcome of a market identified by text: from another row with the same text, else a derived
 * condition and the usual label order.
 */
function findOutcomeByText(
  recording: Recording,
  row: z.output<typeof shapes.LargeTrade>,
): { conditionId: string; outcomeIndex: number } {
  const known = recording.namedOutcomes.get(outcomeKey(row));
  if (known !== undefined) return known;
  const prefix = `${row.eventSlug}\n${row.title}\n`;
  const others = [...recording.namedOutcomes].filter(([key]) => key.startsWith(prefix)).map(([, outcome]) => outcome);
  const conditionId = row.conditionId ?? others[0]?.conditionId ?? generatedCondition(`${row.eventSlug} ${row.title}`);
  const usual = usualIndex(row.outcome);
  const outcomeIndex = usual ?? (others.some((outcome) => outcome.outcomeIndex === 0) ? 1 : 0);
  if (usual === null && others.length === 0) recording.drafts.market(conditionId).hasGuessedOutcome = true;
  const outcome = { conditionId, outcomeIndex };
  recording.namedOutcomes.set(outcomeKey(row), outcome);
  return outcome;
}

/** The outcome index of labels with a common order; null for names. */
export const usualIndex = (label: string) =>
  FIRST_LABELS.includes(label) ? 0 : SECOND_LABELS.includes(label) ? 1 : null;

const indexerFills = loader("indexer fills", 1, shapes.IndexerFill, (recording, rows) => {
  const trades = rows.map(({ row, line }): RecordedTrade => {
    recording.recordProfile(row.wallet);
    return {
      wallet: row.wallet,
      tokenId: row.asset_id,
      side: row.side,
      size: row.size / MICRO,
      price: row.price,
      usdcSize: row.cost / MICRO,
      timestamp: row.timestamp,
      transactionHash: null,
      role: null,
      line,
    };
  });
  addExtract(recording, "loose", trades);
});

const indexerFillsWithTransaction = loader(
  "indexer fills with transaction",
  1,
  shapes.IndexerFillWithTransaction,
  (recording, rows, { folderWallet }) => {
    if (folderWallet === null) {
      recording.unreadableRows += rows.length;
      return;
    }
    recording.recordProfile(folderWallet);
    const trades = rows.map(({ row, line }): RecordedTrade => {
      return {
        wallet: folderWallet,
        tokenId: row.asset_id,
        side: row.side,
        size: row.shares,
        price: row.price,
        usdcSize: null,
        timestamp: row.timestamp,
        transactionHash: row.tx_hash,
        role: null,
        line,
      };
    });
    addExtract(recording, "fill", trades);
  },
);

function addExtract(recording: Recording, grain: "fill" | "loose", rows: readonly RecordedTrade[]): void {
  recording.tradeFiles.push({
    grain,
    groups: groupAcross([withoutFanOut(rows)], grain === "fill" ? identityOf : looseIdentity),
  });
}

const orderFills = loader("order fills", 2, shapes.OrderFill, (recording, rows) => {
  const trades = rows.map(({ row, line }): RecordedTrade => {
    recording.recordProfile(row.user);
    recording.drafts.name(row.condition_id, { question: row.title, slug: row.market_slug });
    recording.drafts.guessToken(row.condition_id, row.token_id);
    return {
      wallet: row.user,
      tokenId: row.token_id,
      side: row.side,
      size: row.shares_normalized,
      price: row.price,
      usdcSize: null,
      timestamp: row.timestamp,
      transactionHash: row.tx_hash,
      role: null,
      line,
    };
  });
  addPolled(recording, "order", trades);
});

export const tradeLoaders: readonly Loader[] = [
  v1Trades,
  v1Activity,
  ammTrades,
  largeTrades,
  indexerFills,
  indexerFillsWithTransaction,
  orderFills,
];
