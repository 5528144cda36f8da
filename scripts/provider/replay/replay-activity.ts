import { SortedActivityLog } from "../activity-log.ts";
import type { Catalog, ActivityRecord, Profile } from "../provider-world.ts";
import type { RecordedActivity, Recording } from "./recording.ts";
import { groupAcross } from "./recorded-trades.ts";
import type { MergedTrade } from "./merge-trades.ts";

/**
 * The activity records of the feeds. Sequences follow time and transaction, so the rows of one transaction
 * stay together.
 */
export function buildActivityLog(
  recording: Recording,
  trades: readonly MergedTrade[],
  catalog: Catalog,
): SortedActivityLog {
  const profileOf = (address: string): Profile =>
    recording.profiles.get(address) ?? {
      address,
      name: "",
      pseudonym: "",
      bio: "",
      profileImage: "",
      createdAtMs: null,
    };
  const movements = [
    ...trades.map((trade) => ofTrade(trade, profileOf(trade.wallet), catalog)),
    ...uniteActivity(recording).map((row) => ofActivity(row, profileOf(row.wallet), catalog)),
  ];
  movements.sort(
    (a, b) =>
      a.timestamp - b.timestamp ||
      (a.transactionHash < b.transactionHash ? -1 : a.transactionHash > b.transactionHash ? 1 : 0),
  );
  const log = new SortedActivityLog();
  log.add(movements.map((movement, index) => ({ ...movement, sequence: index + 1 })));
  return log;
}

type UnsequencedMovement = Omit<ActivityRecord, "sequence">;

function ofTrade(trade: MergedTrade, wallet: Profile, catalog: Catalog): UnsequencedMovement {
  const token = catalog.findToken(trade.tokenId);
  return {
    type: "TRADE",
    timestamp: trade.timestamp,
    wallet,
    market: token?.market ?? null,
    outcomeIndex: token?.outcomeIndex ?? null,
    tokenId: trade.tokenId,
    side: trade.side,
    size: trade.size,
    // Without a recorded amount the fee is unknown; size times price implies none.
    usdcSize: trade.usdcSize ?? Math.round(trade.size * trade.price * 1e6) / 1e6,
    price: trade.price,
    transactionHash: trade.transactionHash,
    role: trade.role,
    enrichedAt: 0,
    combo: null,
  };
}

function ofActivity(row: RecordedActivity, wallet: Profile, catalog: Catalog): UnsequencedMovement {
  const token = catalog.findToken(row.tokenId);
  return {
    type: row.type,
    timestamp: row.timestamp,
    wallet,
    market: token?.market ?? catalog.findMarket(row.conditionId),
    outcomeIndex: token?.outcomeIndex ?? null,
    tokenId: row.tokenId,
    side: "",
    size: row.size,
    usdcSize: row.usdcSize,
    price: row.price,
    transactionHash: row.transactionHash,
    role: null,
    enrichedAt: 0,
    combo: null,
  };
}

function uniteActivity(recording: Recording): readonly RecordedActivity[] {
  const pieces = recording.activity.map((groups) => groups.flat());
  return groupAcross(pieces, (row) => JSON.stringify(row)).flat();
}
