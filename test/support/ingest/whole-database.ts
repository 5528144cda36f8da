import type { Pool } from "@neondatabase/serverless";

type Row = Readonly<Record<string, unknown>>;
export type WholeDatabase = Readonly<Record<string, readonly string[]>>;

/**
 * Instants that the provider gave or that follow from its data. Any other instant is a clock time: only its
 * presence is compared.
 */
const FACTS = new Set(
  `traded_at happened_at first_at last_at start_at end_at closed_at game_start_at provider_created_at resolved_at covered_to
   large_trade_last_at`.split(/\s+/),
);
/** Row ids that nothing refers to, marks of enqueued work, and scores that decay with the clock. */
const OMITTED_COLUMNS = new Set(
  `id commit_xid hydrate_enqueued_at enqueued_at hydrate_attempts trending_score discover_score
   score_components`.split(/\s+/),
);
/** Ids and clock times inside JSON documents, and counts of reads. */
const OMITTED_JSON_KEYS = new Set(
  `trader_id traderId event_id whale_alert_id suspicious_trade_id entry_id market_id outcome_id large_trade_id after input as_of generated_at
   computed_at walks stored since commit_xid`.split(/\s+/),
);
/** The kind of row that an id column refers to. */
const REFERENCES: Readonly<Record<string, keyof typeof NAMES>> = {
  trader_id: "trader",
  market_id: "market",
  market_ids: "market",
  representative_id: "market",
  outcome_id: "outcome",
  event_id: "event",
  cluster: "cluster",
  entry_id: "entry",
  large_trade_id: "largeTrade",
  generation: "generation",
  added_in: "generation",
  removed_in: "generation",
  entry_key: "exploreEntry",
  population_id: "population",
  pick_id: "pick",
};
/** Ids and the names that replace them: the provider's name, or the position among equals. */
const NAMES = {
  trader: `select id, address as name from traders`,
  market: `select id, condition_id as name from markets`,
  outcome: `select id, token_id as name from outcomes`,
  event: `select id, slug as name from provider_events`,
  cluster: `select id, slug as name from provider_events union all select -id, condition_id from markets`,
  entry: `select e.id, concat_ws(' ', encode(e.tx_hash, 'hex'), t.address, o.token_id, e.kind, e.shares_micro, e.ordinal) as name
    from ledger_entries e join traders t on t.id = e.trader_id join outcomes o on o.id = e.outcome_id`,
  largeTrade: `select l.id, concat_ws(' ', encode(e.tx_hash, 'hex'), t.address, e.shares_micro, e.ordinal) as name
    from large_trades l join ledger_entries e on e.id = l.entry_id join traders t on t.id = l.trader_id`,
  generation: `select id, concat(list, ' ', row_number() over (partition by list order by id desc)) as name from list_generations`,
  exploreEntry: `select id * 2 as id, slug as name from provider_events union all select id * 2 + 1, condition_id from markets`,
  pick: `select k.id, m.condition_id as name from picks k join markets m on m.id = k.market_id`,
  population: `select id, (row_number() over (order by id))::text as name from skill_populations`,
} as const;
// Killed work may leave a lease, which expires.
const COLUMNS = `
  select c.table_name, c.column_name, c.data_type from information_schema.columns c
  where c.table_schema = 'public' and c.table_name not in ('job_heartbeats', 'explore_changes', 'work_leases') order by c.table_name, c.ordinal_position`;

/** Older generations of a list exist for cursors only: a list that is built twice has one more of them. */
const NEWEST = / 1$/;

/**
 * Everything in a database except its clock times and its exploration change notes: one text per row, in a
 * fixed order, with the provider's ids instead of ours. Tables and columns come from the database, so new
 * ones are included; a new kind of row id has to be added to REFERENCES.
 */
export async function readWholeDatabase(pool: Pool): Promise<WholeDatabase> {
  const names = new Map<string, ReadonlyMap<string, string>>();
  for (const [kind, text] of Object.entries(NAMES)) {
    const { rows } = await pool.query<{ id: string; name: string }>(text);
    names.set(kind, new Map(rows.map(({ id, name }) => [String(id), name])));
  }
  const { rows: columns } = await pool.query<{ table_name: string; column_name: string; data_type: string }>(COLUMNS);
  const whole: Record<string, readonly string[]> = {};
  for (const [table, own] of Map.groupBy(columns, (column) => column.table_name)) {
    const types = new Map(own.map((column) => [column.column_name, column.data_type]));
    const { rows } = await pool.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`);
    const isNewest = (row: Row) => {
      const generation = table === "list_generations" ? row["id"] : row["generation"];
      return generation === undefined || NEWEST.test(names.get("generation")?.get(String(generation)) ?? "");
    };
    const newest = rows.filter(({ row }) => isNewest(row));
    whole[table] = newest
      .map(({ row }) => JSON.stringify(Object.entries(row).flatMap((cell) => present(cell, types, names))))
      .sort();
  }
  return whole;
}

function present(
  [column, value]: [string, unknown],
  types: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, ReadonlyMap<string, string>>,
): [string, unknown][] {
  if (OMITTED_COLUMNS.has(column)) return [];
  const kind = REFERENCES[column];
  if (kind !== undefined) return [[column, rename(value, names.get(kind))]];
  const type = types.get(column) ?? "";
  if (type.startsWith("timestamp") && !FACTS.has(column)) return [[column, value === null ? "absent" : "present"]];
  return [[column, type === "jsonb" ? omitKeys(value) : value]];
}

function rename(value: unknown, names: ReadonlyMap<string, string> | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => rename(one, names));
  return value === null ? null : (names?.get(String(value)) ?? `unknown ${String(value)}`);
}

function omitKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (OMITTED_JSON_KEYS.has(key) ? [] : [[key, omitKeys(one)]])),
  );
}
