import type { Database } from "../../../src/db/client.ts";
import { providerFigures, traderDays, traderGrades } from "../../../src/db/schema.ts";
import type { Wallet } from "./wallets.ts";

type DayFacts = Omit<Partial<typeof traderDays.$inferInsert>, "traderId"> & { readonly day: string };

/** Recorded days of a wallet; nothing was made on them unless the facts say so. */
export async function someDays(db: Database, wallet: Wallet, days: readonly DayFacts[]): Promise<void> {
  const nothing = {
    realizedMicro: 0n,
    settledMicro: 0n,
    feesMicro: 0n,
    rebatesMicro: 0n,
    rewardsMicro: 0n,
    volumeMicro: 0n,
    entryCount: 1,
  };
  await db.insert(traderDays).values(days.map((day) => ({ ...nothing, ...day, traderId: wallet.id })));
}

type GradeFacts = Partial<typeof traderGrades.$inferInsert> & { readonly validFrom: Date; readonly publishedAt: Date };

/** An observation in a wallet's history of grades. @returns its row id */
export async function aGradeObservation(db: Database, wallet: Wallet, facts: GradeFacts): Promise<number> {
  const [row] = await db
    .insert(traderGrades)
    .values({ traderId: wallet.id, methodVersion: "skill-1", inputHash: "", components: {}, ...facts })
    .returning({ id: traderGrades.id });
  if (row === undefined) throw new Error("no observation was stored");
  return row.id;
}

/** What the provider says of a wallet. */
export async function someProviderFigures(
  db: Database,
  wallet: Wallet,
  facts: Omit<Partial<typeof providerFigures.$inferInsert>, "traderId">,
): Promise<void> {
  await db.insert(providerFigures).values({ traderId: wallet.id, ...facts });
}
