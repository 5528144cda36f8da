import { z } from "zod";
import { ConditionId, TokenId, TxHash, WalletAddress } from "../../../src/providers/polymarket/payloads/fields.ts";
import {
  groupAcross,
  identityOf,
  looseIdentity,
  splitPolls,
  withoutFanOut,
  type RecordedTrade,
} from "../../provider/replay/recorded-trades.ts";
import { Amount, AnyText, EpochWhole, MICRO, Price, Side, SpacedTime } from "./fields.ts";
import { defineReader } from "./reader.ts";

/** An indexer's fills without transactions; sizes in millionths, `cost` = size times price. */
export const indexerFills = defineReader({
  shape: "indexer fills",
  has: ["wallet", "trade_id", "asset_id", "side", "size", "price", "cost"],
  schema: z.object({
    wallet: WalletAddress,
    timestamp: SpacedTime,
    asset_id: TokenId,
    side: Side,
    size: Amount,
    price: Price,
    cost: Amount,
  }),
  take(facts, rows) {
    const trades = rows.map(({ row, line }): RecordedTrade => {
      const { wallet, side, timestamp, price } = row;
      // The cost is derived from the price here, so it contains no information about a fee.
      return {
        wallet,
        tokenId: row.asset_id,
        side,
        size: row.size / MICRO,
        price,
        usdcSize: null,
        timestamp,
        transactionHash: null,
        role: null,
        line,
      };
    });
    facts.tradeFiles.push({ grain: "loose", groups: groupAcross([withoutFanOut(trades)], looseIdentity) });
  },
});

const NumericText = z.string().regex(/^\d+(\.\d+)?$/, "expected a decimal");

/**
 * An indexer's fills with transactions. The wallet comes from the folder; `token_id` and `condition_id_norm`
 * are garbled.
 */
export const indexerFillsWithTransaction = defineReader({
  shape: "indexer fills with transaction",
  has: ["tx_hash", "asset_id", "shares", "price", "fee_rate_bps"],
  schema: z.object({
    tx_hash: TxHash,
    timestamp: SpacedTime,
    asset_id: TokenId,
    side: Side,
    shares: NumericText.transform(Number),
    price: NumericText.transform(Number).pipe(Price),
  }),
  take(facts, rows, { folderWallet }) {
    if (folderWallet === null) return rows.map(() => "neither the file nor its folder names a wallet");
    const trades = rows.map(({ row, line }): RecordedTrade => {
      const { side, timestamp, price } = row;
      return {
        wallet: folderWallet,
        tokenId: row.asset_id,
        side,
        size: row.shares,
        price,
        usdcSize: null,
        timestamp,
        transactionHash: row.tx_hash,
        role: null,
        line,
      };
    });
    facts.tradeFiles.push({ grain: "fill", groups: groupAcross([withoutFanOut(trades)], identityOf) });
  },
});

/** Fills by order: one row for each order and transaction. */
export const orderFills = defineReader({
  shape: "order fills",
  has: ["token_id", "side", "condition_id", "price", "tx_hash", "order_hash", "user", "shares_normalized"],
  schema: z.object({
    token_id: TokenId,
    side: Side,
    condition_id: ConditionId,
    price: Price,
    tx_hash: TxHash,
    title: AnyText,
    timestamp: EpochWhole,
    user: WalletAddress,
    shares_normalized: Amount,
  }),
  take(facts, rows) {
    const trades = rows.map(({ row, line }): RecordedTrade => {
      const { side, timestamp, price } = row;
      // The outcome index is not recorded, but the market of the token is known.
      facts.markets.add(row.condition_id, -1, row.token_id);
      return {
        wallet: row.user,
        tokenId: row.token_id,
        side,
        size: row.shares_normalized,
        price,
        usdcSize: null,
        timestamp,
        transactionHash: row.tx_hash,
        role: null,
        line,
      };
    });
    facts.tradeFiles.push({ grain: "order", groups: groupAcross(splitPolls(trades), identityOf) });
  },
});
