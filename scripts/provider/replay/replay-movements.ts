import { SortedMovementLog } from "../movement-log.ts";
import type { Catalog, Movement, Profile } from "../world.ts";
import type { RecordedActivity, Recording } from "./recording.ts";
import { groupAcross } from "./recorded-trades.ts";
import type { UnitedTrade } from "./unite-trades.ts";

/** The rows of the feeds. Sequences follow time and transaction, so the rows of one transaction stay together. */
export function buildMovements(recording: Recording, trades: readonly UnitedTrade[], catalog: Catalog): SortedMovementLog {
  const profileOf = (address: string): Profile =>
    recording.profiles.get(address) ?? { address, name: "", pseudonym: "", bio: "", profileImage: "", createdAtMs: null };
  const movements = [
    ...trades.map((trade) => ofTrade(trade, profileOf(trade.wallet), catalog)),
    ...uniteActivity(recording).map((row) => ofActivity(row, profileOf(row.wallet), catalog)),
  ];
  movements.sort(
    (a, b) => a.timestamp - b.timestamp || (a.transactionHash < b.transactionHash ? -1 : a.transactionHash > b.transactionHash ? 1 : 0),
  );
  const log = new SortedMovementLog();
  log.add(movements.map((movement, index) => ({ ...movement, sequence: index + 1 })));
  return log;
}

type Unnumbered = Omit<Movement, "sequence">;

function ofTrade(trade: UnitedTrade, wallet: Profile, catalog: Catalog): Unnumbered {
  const place = catalog.findToken(trade.tokenId);
  return {
    type: "TRADE",
    timestamp: trade.timestamp,
    wallet,
    market: place?.market ?? null,
    outcomeIndex: place?.outcomeIndex ?? null,
    tokenId: trade.tokenId,
    side: trade.side,
    size: trade.size,
    // Without a recorded amount the trade has no known fee; size times price says so.
    usdcSize: trade.usdcSize ?? Math.round(trade.size * trade.price * 1e6) / 1e6,
    price: trade.price,
    transactionHash: trade.transactionHash,
    role: trade.role,
    enrichedAt: 0,
    combo: null,
  };
}

function ofActivity(row: RecordedActivity, wallet: Profile, catalog: Catalog): Unnumbered {
  const place = catalog.findToken(row.tokenId);
  return {
    type: row.type,
    timestamp: row.timestamp,
    wallet,
    market: place?.market ?? catalog.findMarket(row.conditionId),
    outcomeIndex: place?.outcomeIndex ?? null,
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
