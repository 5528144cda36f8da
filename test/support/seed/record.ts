import type { Database } from "../../../src/db/client.ts";
import { recordPeriods } from "../../../src/db/schema.ts";
import { ALL_MONTHS, RECORD_KINDS, RECORD_SAMPLES } from "../../../src/domain/record/record-kinds.ts";

/** Twelve claims at 0.50 on as many events, of which seven won. */
const DECIDED = {
  ...{ claims: 12, pending: 0, late: 0, unpriced: 0, won: 7, lost: 5, voided: 0, pricePpm: 6_000_000n },
  ...{ returnMicro: 14_000_000n, events: 12, edgeSquares: "3000000000000", edgeCounts: "1000000", countSquares: "12" },
};
/** One pending claim. */
const PENDING = {
  ...{ claims: 1, pending: 1, late: 0, unpriced: 0, won: 0, lost: 0, voided: 0, pricePpm: 0n, returnMicro: 0n },
  ...{ events: 0, edgeSquares: "0", edgeCounts: "0", countSquares: "0" },
};

/** A public record of one month: flags with rates, and of each other kind one pending claim. */
export async function someRecord(db: Database): Promise<void> {
  const changedAt = new Date("2026-11-20T12:00:00Z");
  await db.insert(recordPeriods).values(
    RECORD_KINDS.flatMap((kind) =>
      [ALL_MONTHS, "2026-11"].flatMap((period) =>
        RECORD_SAMPLES.map((sample) => ({
          kind,
          period,
          sample,
          changedAt,
          ...(kind === "flag" ? DECIDED : PENDING),
        })),
      ),
    ),
  );
}
