import type { Database } from "../../../src/db/client.ts";
import { comboEvents, comboLegs, combos, jobHeartbeats } from "../../../src/db/schema.ts";
import type { StoredLegMarket } from "../../../src/db/schema/markets/combos.ts";
import { aMarket, type SeededMarket } from "./markets.ts";
import { hex, nextNumber } from "./numbers.ts";
import type { SeededTrader } from "./traders/traders.ts";

type LegFacts = Partial<Omit<typeof comboLegs.$inferInsert, "marketId" | "legIndex">>;

export interface ComboFacts {
  /** Null leaves out the combo's row, as before the first read. */
  readonly status?: "pending" | "won" | "lost" | "unknown" | null;
  readonly statusReason?: string | null;
  /** Null while the legs are not known. */
  readonly legs?: readonly LegFacts[] | null;
  readonly readDueAt?: Date | null;
  /** Whether the provider has given the index of the outcomes. */
  readonly hasOutcomeIndex?: boolean;
}

/** Legs of which nothing but the ids is known. */
export const UNKNOWN_LEG_MARKET: StoredLegMarket = {
  ...{ marketId: null, title: null, slug: null, eventSlug: null, outcomeLabel: null, image: null, category: null },
  tags: [],
};

const conditionIdOf = (module: 1 | 3, n: number): string =>
  `0x0${module}${n.toString(16).padStart(34, "0")}${"0".repeat(26)}`;

/** A combo and its market, whose tokens are the position ids of its sides. Two pending legs by default. */
export async function aCombo(db: Database, facts: ComboFacts = {}): Promise<SeededMarket> {
  const { status = "pending", statusReason = null, legs = [{}, {}], readDueAt = null, hasOutcomeIndex = true } = facts;
  const conditionId = conditionIdOf(3, nextNumber());
  const sides = [0n, 1n].map((side) => ({
    tokenId: String((BigInt(conditionId) << 8n) + side),
    ...(hasOutcomeIndex ? {} : { outcomeIndex: null }),
  }));
  const [yes = {}, no = {}] = sides;
  const market = await aMarket(db, { conditionId, title: null, slug: null }, [yes, no]);
  if (status === null) return market;
  const known = legs === null ? {} : { legCount: legs.length, legsKnownAt: new Date("2026-11-20T12:00:00Z") };
  await db.insert(combos).values({ marketId: market.id, status, statusReason, readDueAt, ...known });
  for (const [legIndex, leg] of (legs ?? []).entries()) {
    const providerConditionId = conditionIdOf(1, nextNumber());
    await db.insert(comboLegs).values({
      ...{ marketId: market.id, legIndex, moduleId: 1, outcomeIndex: 0, providerConditionId, state: "pending" },
      positionId: String(BigInt(providerConditionId) << 8n),
      providerMarket: UNKNOWN_LEG_MARKET,
      readAt: new Date("2026-11-20T12:00:00Z"),
      ...leg,
    });
  }
  return market;
}

/** An event of a combo other than a fill. */
export async function aComboEvent(
  db: Database,
  {
    market,
    trader,
    ...facts
  }: { market: SeededMarket; trader: SeededTrader } & Partial<typeof comboEvents.$inferInsert>,
): Promise<void> {
  const n = nextNumber();
  await db.insert(comboEvents).values({
    ...{ providerId: `${hex(n, 64)}-1`, marketId: market.id, traderId: trader.id, kind: "split", blockNumber: n },
    logIndex: 1,
    happenedAt: new Date("2026-11-20T12:00:00Z"),
    ...facts,
  });
}

/** The job that reads combos succeeded at this time. */
export async function theCombosWereRead(db: Database, succeededAt: Date): Promise<void> {
  const row = { job: "read_combos", succeededAt };
  await db.insert(jobHeartbeats).values(row).onConflictDoUpdate({ target: jobHeartbeats.job, set: { succeededAt } });
}
