import type { z } from "zod";
import { UNKNOWN_OUTCOME } from "../../http/data/activity-rows.ts";
import { identityOf, type RecordedTrade } from "../recorded-trades.ts";
import type { Recording } from "../recording.ts";
import { loader, type Loader } from "./loader.ts";
import * as shapes from "./shapes.ts";

type Row = Pick<z.output<typeof shapes.V2Activity>, "condition_id" | "token_id" | "ordinal"> &
  Omit<z.output<typeof shapes.V2Trade>, "side" | "taker_only">;

const relayedTrades = loader("relayed trades", 1, shapes.V2Trade, (recording, rows) => {
  const trades = rows.map(({ row, line }) => {
    recordNames(recording, row);
    const trade: RecordedTrade = {
      ...fieldsOf(row),
      ...{ side: row.side, usdcSize: null, role: row.taker_only ? "taker" : null, line },
    };
    return { row: trade, ordinal: row.ordinal };
  });
  recording.tradeFiles.push({ grain: "fill", groups: groupOnce(trades, identityOf) });
});

const relayedActivity = loader("relayed activity", 1, shapes.V2Activity, (recording, rows) => {
  const trades: Ordered<RecordedTrade>[] = [];
  const others: Ordered<Recording["activity"][number][number][number]>[] = [];
  for (const { row, line } of rows) {
    const { type, side, usdc_size: usdcSize, ordinal } = row;
    recordNames(recording, row);
    if (type !== "TRADE")
      others.push({ row: { ...fieldsOf(row), type, conditionId: row.condition_id, usdcSize }, ordinal });
    else if (side === "" || row.token_id === "") recording.unreadableRows += 1;
    else trades.push({ row: { ...fieldsOf(row), side, usdcSize, role: null, line }, ordinal });
  }
  recording.tradeFiles.push({ grain: "fill", groups: groupOnce(trades, identityOf) });
  recording.activity.push(groupOnce(others, (row) => JSON.stringify(row)));
});

interface Ordered<Value> {
  readonly row: Value;
  readonly ordinal: number;
}

/** Equal rows with different ordinals are different fills. With the same ordinal they are one that was recorded again. */
function groupOnce<Value>(rows: readonly Ordered<Value>[], keyOf: (row: Value) => string): Value[][] {
  const groups = new Map<string, Map<number, Value>>();
  for (const { row, ordinal } of rows) {
    const key = keyOf(row);
    const group = groups.get(key) ?? new Map<number, Value>();
    groups.set(key, group.set(ordinal, row));
  }
  return [...groups.values()].map((group) => [...group.values()]);
}

const fieldsOf = (row: Row) => ({
  wallet: row.proxy_wallet,
  tokenId: row.token_id,
  size: row.size,
  price: row.price,
  timestamp: row.timestamp,
  transactionHash: row.transaction_hash,
});

function recordNames(recording: Recording, row: Row): void {
  const { drafts } = recording;
  recording.recordProfile(row.proxy_wallet, { ...row, profileImage: row.profile_image });
  if (row.condition_id === "") return;
  const { title: question, slug, icon, event_slug: eventSlug } = row;
  drafts.name(row.condition_id, { question, slug, icon, eventSlug });
  if (row.token_id === "") return;
  if (row.outcome_index === UNKNOWN_OUTCOME) drafts.guessToken(row.condition_id, row.token_id);
  else drafts.recordToken(row.condition_id, row.outcome_index, row.token_id, row.outcome);
}

export const relayedLoaders: readonly Loader[] = [relayedTrades, relayedActivity];
