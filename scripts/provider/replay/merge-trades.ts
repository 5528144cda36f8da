import { generatedTransaction } from "./generated-ids.ts";
import { identityOf, looseIdentity, type RecordedTrade, type TradeFile, type TradeGroup } from "./recorded-trades.ts";

/** A trade with its transaction, recorded or derived. */
export type MergedTrade = RecordedTrade & { readonly transactionHash: string };

/**
 * The union of several recordings: a trade in several files is one trade, with its largest multiplicity in
 * any file.
 *
 * Fills come first. An order row is dropped when its wallet's fills in that transaction are known, because
 * they are its parts. Fills without transaction are matched to known ones by their other fields; the rest get
 * a derived transaction.
 */
export function mergeTrades(files: readonly TradeFile[]): readonly MergedTrade[] {
  const united = new Map<string, TradeGroup>();
  const withFills = new Set<string>();
  const ofGrain = (grain: TradeFile["grain"]) =>
    files.filter((file) => file.grain === grain).flatMap((file) => file.groups);
  for (const group of ofGrain("fill")) {
    withFills.add(walletInTransaction(group));
    addLargest(united, identityOf, group);
  }
  for (const group of ofGrain("order")) {
    const parts = withFills.has(walletInTransaction(group)) && !group.some((trade) => united.has(identityOf(trade)));
    if (!parts) addLargest(united, identityOf, group);
  }
  const known = new Map<string, number>();
  for (const trade of [...united.values()].flat())
    known.set(looseIdentity(trade), (known.get(looseIdentity(trade)) ?? 0) + 1);
  const loose = new Map<string, TradeGroup>();
  for (const group of ofGrain("loose")) addLargest(loose, looseIdentity, group);
  const rest = [...loose].flatMap(([key, group]) => group.slice(known.get(key) ?? 0));
  return [...[...united.values()].flat(), ...rest].map(withTransaction());
}

const walletInTransaction = ([trade]: TradeGroup) => `${trade?.transactionHash} ${trade?.wallet}`;

function addLargest(groups: Map<string, TradeGroup>, keyOf: (trade: RecordedTrade) => string, group: TradeGroup): void {
  const [first] = group;
  if (first === undefined) return;
  const before = groups.get(keyOf(first)) ?? [];
  const [longer, shorter] = group.length > before.length ? [group, before] : [before, group];
  groups.set(
    keyOf(first),
    longer.map((trade, index) => merge(trade, shorter[index])),
  );
}

/** Merges two records of a trade; a known value replaces an unknown one. */
const merge = (a: RecordedTrade, b: RecordedTrade | undefined): RecordedTrade => ({
  ...a,
  role: a.role ?? b?.role ?? null,
  usdcSize: a.usdcSize ?? b?.usdcSize ?? null,
});

/** Numbers equal lines without transaction, so that their derived transactions differ. */
function withTransaction(): (trade: RecordedTrade) => MergedTrade {
  const seen = new Map<string, number>();
  return (trade) => {
    if (trade.transactionHash !== null) return { ...trade, transactionHash: trade.transactionHash };
    const ordinal = seen.get(trade.line) ?? 0;
    seen.set(trade.line, ordinal + 1);
    return { ...trade, transactionHash: generatedTransaction(trade.line, ordinal) };
  };
}
