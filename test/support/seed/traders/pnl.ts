import type { Database } from "../../../../src/db/client.ts";
import { providerFigures, traderDays, traderGrades } from "../../../../src/db/schema.ts";
import type { SeededTrader } from "./traders.ts";

type DayFacts = Omit<Partial<typeof traderDays.$inferInsert>, "traderId"> & { readonly day: string };

/** Recorded days of a trader, with zero amounts unless the facts differ. */
export async function someDays(db: Database, trader: SeededTrader, days: readonly DayFacts[]): Promise<void> {
  const nothing = {
    realizedMicro: 0n,
    settledMicro: 0n,
    feesMicro: 0n,
    rebatesMicro: 0n,
    rewardsMicro: 0n,
    volumeMicro: 0n,
    entryCount: 1,
  };
  await db.insert(traderDays).values(days.map((day) => ({ ...nothing, ...day, traderId: trader.id })));
}

type GradeFacts = Partial<typeof traderGrades.$inferInsert> & { readonly validFrom: Date; readonly publishedAt: Date };

/** An observation in a trader's grade history. @returns its row id */
export async function aGradeObservation(db: Database, trader: SeededTrader, facts: GradeFacts): Promise<number> {
  const [row] = await db
    .insert(traderGrades)
    .values({ traderId: trader.id, methodVersion: "skill-1", inputHash: "", components: {}, ...facts })
    .returning({ id: traderGrades.id });
  if (row === undefined) throw new Error("no observation was stored");
  return row.id;
}

/** The provider's own figures of a trader. */
export async function someProviderFigures(
  db: Database,
  trader: SeededTrader,
  facts: Omit<Partial<typeof providerFigures.$inferInsert>, "traderId">,
): Promise<void> {
  await db.insert(providerFigures).values({ traderId: trader.id, ...facts });
}
