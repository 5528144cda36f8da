import type pg from "pg";
import { z } from "zod";
import type { CapturedStatement } from "./statement-tap.ts";

const Node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().default(0),
  "Rows Removed by Index Recheck": z.number().default(0),
  "Shared Hit Blocks": z.number().default(0),
  "Shared Read Blocks": z.number().default(0),
  get Plans() {
    return z.array(Node).optional();
  },
});
type PlanNode = z.output<typeof Node>;

const Explained = z.tuple([z.object({ Plan: Node, "Execution Time": z.number(), "Planning Time": z.number() })]);

/** The cost of one run of a statement. */
export interface StatementCost {
  /** Rows read from tables, including those that a filter removed. */
  readonly rowsRead: number;
  /** Buffers of 8 KB. */
  readonly buffers: number;
  readonly executionMs: number;
  readonly planningMs: number;
  /** Tables that were scanned completely, with their row counts. */
  readonly wholeTables: readonly string[];
  /** The plan as JSON, for inspection. */
  readonly plan: string;
}

/** A smaller scan ends at a limit, or reads a table that is too small for an index to help. */
const SMALL_TABLE_ROWS = 2_500;

/** Runs a statement with the parameters of the API and rolls its writes back. */
export async function explainStatement(
  client: pg.Client,
  { query, params }: CapturedStatement,
): Promise<StatementCost> {
  await client.query("begin");
  try {
    const text = `explain (analyze, buffers, timing off, format json) ${query}`;
    const { rows } = await client.query<{ "QUERY PLAN": unknown }>(text, [...params]);
    const [explained] = Explained.parse(rows[0]?.["QUERY PLAN"]);
    const nodes = [...flatten(explained.Plan)];
    const scans = nodes.filter((node) => node["Relation Name"] !== undefined && node["Node Type"] !== "ModifyTable");
    return {
      rowsRead: scans.reduce((sum, node) => sum + rowsOf(node), 0),
      buffers: explained.Plan["Shared Hit Blocks"] + explained.Plan["Shared Read Blocks"],
      executionMs: explained["Execution Time"],
      planningMs: explained["Planning Time"],
      wholeTables: scans
        .filter(
          (node) =>
            node["Node Type"] === "Seq Scan" && rowsOf(node) / Math.max(1, node["Actual Loops"]) >= SMALL_TABLE_ROWS,
        )
        .map((node) => `${node["Relation Name"]} (${rowsOf(node)} rows)`),
      plan: JSON.stringify(rows[0]?.["QUERY PLAN"], null, 1),
    };
  } finally {
    await client.query("rollback");
  }
}

const rowsOf = (node: PlanNode): number =>
  Math.round(
    (node["Actual Rows"] + node["Rows Removed by Filter"] + node["Rows Removed by Index Recheck"]) *
      node["Actual Loops"],
  );

function* flatten(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* flatten(child);
}
