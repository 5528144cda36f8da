import { z } from "zod";
import { ACTIVITY_TYPES } from "../../../src/platform/provider.ts";
import { ConditionId, TokenId, TxHash, WalletAddress } from "../../../src/providers/polymarket/payloads/fields.ts";
import { groupAcross, identityOf, splitPolls, type RecordedTrade } from "../../provider/replay/recorded-trades.ts";
import type { RecordingFacts, RecordedFlow } from "../recording-facts.ts";
import { Amount, AnyText, EpochWhole, Price, Side, SignedMicro } from "./fields.ts";
import { defineReader } from "./reader.ts";

const Trade = z.object({
  proxyWallet: WalletAddress,
  side: Side,
  asset: TokenId,
  conditionId: ConditionId,
  outcomeIndex: z.number().int(),
  size: Amount,
  price: Price,
  timestamp: EpochWhole,
  transactionHash: TxHash,
});

const TradeActivity = Trade.extend({ type: z.literal("TRADE"), usdcSize: Amount });

/** Rewards and rebates name no market. */
const OtherActivity = z.object({
  proxyWallet: WalletAddress,
  type: z.enum(ACTIVITY_TYPES),
  conditionId: z.union([z.literal(""), ConditionId]),
  eventSlug: AnyText,
  size: SignedMicro,
  timestamp: EpochWhole,
  transactionHash: TxHash,
});

function addTrades(
  facts: RecordingFacts,
  trades: readonly { row: z.output<typeof Trade> & { usdcSize?: number }; line: string }[],
): void {
  const recorded = trades.map(({ row, line }): RecordedTrade => {
    facts.markets.add(row.conditionId, row.outcomeIndex, row.asset);
    return {
      wallet: row.proxyWallet,
      tokenId: row.asset,
      side: row.side,
      size: row.size,
      price: row.price,
      usdcSize: row.usdcSize ?? null,
      timestamp: row.timestamp,
      transactionHash: row.transactionHash,
      role: null,
      line,
    };
  });
  facts.tradeFiles.push({ grain: "fill", groups: groupAcross(splitPolls(recorded), identityOf) });
}

/** v1 `/trades`: takers' fills unless the request asked for all, so makers' fills may be missing. */
export const v1Trades = defineReader({
  shape: "v1 trades",
  has: ["proxyWallet", "side", "asset", "conditionId", "size", "price", "transactionHash"],
  lacks: ["type"],
  schema: Trade,
  take: addTrades,
});

/** v1 `/activity`: fills of both roles and other activity. `usdcSize` of a trade includes its fee. */
export const v1Activity = defineReader({
  shape: "v1 activity",
  has: ["proxyWallet", "type", "asset", "conditionId", "size", "usdcSize", "transactionHash"],
  schema: z.discriminatedUnion("type", [TradeActivity, OtherActivity]),
  take(facts, rows) {
    addTrades(
      facts,
      rows.flatMap(({ row, line }) => (row.type === "TRADE" ? [{ row, line }] : [])),
    );
    const flows = rows.flatMap(({ row }): RecordedFlow[] =>
      row.type === "TRADE" ? [] : [{ ...row, wallet: row.proxyWallet, sharesMicro: row.size }],
    );
    facts.flows.push(groupAcross(splitPolls(flows), flowIdentity).flat());
  },
});

/** The identity of a row across files. */
export const flowIdentity = (flow: RecordedFlow): string =>
  [flow.transactionHash, flow.type, flow.wallet, flow.conditionId, flow.sharesMicro, flow.timestamp].join(" ");
