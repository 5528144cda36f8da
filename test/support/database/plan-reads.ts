import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../src/db/client.ts";

const Node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().default(0),
  get Plans() {
    return z.array(Node).optional();
  },
});

/** A node of a plan that reads the table or one of its indexes and was executed. */
export type TableRead = z.output<typeof Node>;

/** The plan of the one statement that a query sends, one node per line. */
export async function planOf(db: Database, query: (db: Database) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const explaining = {
    async execute(statement: SQL) {
      const { rows } = await db.execute(sql`explain ${statement}`);
      plans.push(rows.map((row) => String(row["QUERY PLAN"])).join("\n"));
      return { rows: [] };
    },
  };
  // Queries call nothing but `execute`.
  await query(explaining as unknown as Database);
  const [plan] = plans;
  if (plan === undefined || plans.length > 1) throw new Error(`the query sent ${plans.length} statements`);
  return plan;
}

/** The nodes that read a table when Postgres runs the statement of a query. */
export async function readsOf(
  db: Database,
  table: string,
  query: (db: Database) => Promise<unknown>,
): Promise<TableRead[]> {
  const reads: TableRead[] = [];
  const visit = (node: TableRead) => {
    const isRead = node["Relation Name"] === table || (node["Index Name"]?.startsWith(`${table}_`) ?? false);
    if (isRead && node["Actual Loops"] > 0) reads.push(node);
    node.Plans?.forEach(visit);
  };
  const Explained = z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: Node })]) });
  const explaining = {
    async execute(statement: SQL) {
      const { rows } = await db.execute(sql`explain (analyze, format json) ${statement}`);
      visit(Explained.parse(rows[0])["QUERY PLAN"][0].Plan);
      return { rows: [] };
    },
  };
  // Queries call nothing but `execute`.
  await query(explaining as unknown as Database);
  return reads;
}

/** Number of the table's rows that were read, including rows that a filter then removed. */
export const rowsRead = (reads: readonly TableRead[]): number =>
  reads
    .filter((node) => node["Node Type"] !== "Bitmap Index Scan")
    .reduce((sum, node) => sum + (node["Actual Rows"] + node["Rows Removed by Filter"]) * node["Actual Loops"], 0);
