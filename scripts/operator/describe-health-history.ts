import type { Database } from "../../src/db/client.ts";
import { listHealthDays } from "../../src/queries/health-history.ts";

const STATUSES = ["ok", "degraded", "down", "maintenance", "unmeasured"] as const;

/** One line a day, newest first: its minutes by status. Statuses without a minute are left out. */
export async function describeHealthHistory(db: Database, days: number, now: Date): Promise<string> {
  const history = await listHealthDays(db, days, now);
  if (history.length === 0) return "No minute of health is stored.";
  return history
    .map((day) => {
      const minutes = STATUSES.filter((status) => day[status] > 0).map((status) => `${status}: ${day[status]}`);
      return `${day.day}  ${minutes.join(", ")}`;
    })
    .join("\n");
}
