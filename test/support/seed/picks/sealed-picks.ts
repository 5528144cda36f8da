import { eq } from "drizzle-orm";
import type { Database } from "../../../../src/db/client.ts";
import { markets, pickCommitments } from "../../../../src/db/schema.ts";
import { productDayOf } from "../../../../src/domain/picks/pick-schedule.ts";
import { aPick, type PickFacts, type SeededPick } from "./picks.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

/** Every form in which a nonce or a payload could be written. */
export const formsOf = (nonce: string, payload: string, sealedNonce: string): string[] => {
  const bytes = Uint8Array.from(nonce.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return [
    ...[nonce, nonce.toUpperCase(), btoa(String.fromCharCode(...bytes)), [...bytes].join(",")],
    ...[payload, JSON.stringify(payload).slice(1, -1), btoa(payload), sealedNonce],
  ];
};

export interface SealedPicks {
  /** Sealed, its game in half an hour. Its rank is beyond those that Pro opens. */
  readonly upcoming: SeededPick;
  /** Every pick that is sealed: also of a game that has begun, withdrawn, and of a market with a result. */
  readonly sealed: readonly SeededPick[];
  /** Selected and not released. */
  readonly slot: SeededPick;
  /** Settled: what a response shows of it proves that the walk would see a leak. */
  readonly opened: SeededPick & { readonly nonce: string };
  /** Every form of every nonce and payload that nothing may show. */
  readonly secrets: readonly string[];
}

/** Picks of today in every state in which their commitment is sealed, at ranks 9 to 14. */
export async function someSealedPicks(db: Database): Promise<SealedPicks> {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  const today = productDayOf(new Date());
  const begun = { kickoff: hoursAgo(1), publishedAt: hoursAgo(2) };
  const add = (rank: number, facts: Partial<PickFacts>) => aPick(db, { date: today, rank, ...facts });
  const upcoming = await add(9, { label: "The hidden side" });
  const started = await add(10, { ...begun, game: { live: true, state: "live" } });
  const withdrawn = await add(11, { isWithdrawn: true });
  const decided = await add(12, begun);
  await db
    .update(markets)
    .set({ payoutsPpm: [1_000_000, 0], closed: true })
    .where(eq(markets.id, decided.market.id));
  const slot = await add(13, { publishedAt: null, kickoff: new Date(Date.now() + 3 * HOUR_MS) });
  const opened = await add(14, { ...begun, outcomes: ["win"] });
  const sealed = [upcoming, started, withdrawn, decided];
  const stored = await db.select().from(pickCommitments);
  const sealedNonceOf = ({ id }: SeededPick) => stored.find(({ pickId }) => pickId === id)?.sealedNonce ?? "";
  const secrets = sealed.flatMap((pick) => formsOf(pick.nonce ?? "", pick.payload ?? "", sealedNonceOf(pick)));
  return { upcoming, sealed, slot, opened: { ...opened, nonce: opened.nonce ?? "" }, secrets };
}
