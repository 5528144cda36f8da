import type { Database } from "../../../src/db/client.ts";
import { markets, outcomes, providerEvents } from "../../../src/db/schema.ts";
import { hex, nextNumber } from "./numbers.ts";

export interface SeededMarket {
  readonly id: number;
  readonly conditionId: string;
  /** Row id and token of the first outcome, then of the second. */
  readonly outcomes: readonly [SeededOutcome, SeededOutcome];
}

export interface SeededOutcome {
  readonly id: number;
  readonly tokenId: string;
}

type MarketFacts = Partial<typeof markets.$inferInsert>;
type OutcomeFacts = Partial<typeof outcomes.$inferInsert>;

/** A market of two outcomes, Yes and No by default. Its results count on the day of `resolvedAt`. */
export async function aMarket(
  db: Database,
  facts: MarketFacts = {},
  sides: readonly [OutcomeFacts, OutcomeFacts] = [{}, {}],
): Promise<SeededMarket> {
  const n = nextNumber();
  const settledOn = facts.resolvedAt?.toISOString().slice(0, 10) ?? null;
  const [row] = await db
    .insert(markets)
    .values({ conditionId: hex(n, 64), title: `Market ${n}`, slug: `market-${n}`, settledOn, ...facts })
    .returning({ id: markets.id, conditionId: markets.conditionId });
  if (row === undefined) throw new Error("no market was stored");
  const stored = await db
    .insert(outcomes)
    .values(
      sides.map((side, index) => ({
        marketId: row.id,
        tokenId: String(1_000_000 + nextNumber()),
        outcomeIndex: index,
        label: index === 0 ? "Yes" : "No",
        ...side,
      })),
    )
    .returning({ id: outcomes.id, tokenId: outcomes.tokenId });
  const [first, second] = stored;
  if (first === undefined || second === undefined) throw new Error("an outcome was not stored");
  return { ...row, outcomes: [first, second] };
}

/** @returns its row id */
export async function anEvent(db: Database, facts: Partial<typeof providerEvents.$inferInsert> = {}): Promise<number> {
  const n = nextNumber();
  const [row] = await db
    .insert(providerEvents)
    .values({ slug: `event-${n}`, title: `Event ${n}`, ...facts })
    .returning({ id: providerEvents.id });
  if (row === undefined) throw new Error("no event was stored");
  return row.id;
}
