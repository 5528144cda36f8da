import { desc } from "drizzle-orm";
import { takesCursor } from "../../../../src/api/operation.ts";
import { accounts } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { MeterUnavailable, type MeterVerdict } from "../../../../src/platform/objects/meter.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase, type TestDatabase } from "../../database/database.ts";
import { aWorld, type World } from "../../seed/world.ts";
import { meterWith, NO_REQUEST_LIMITS, UNLIMITED, unlimitedVerdict } from "../../api/unlimited.ts";
import { aSession } from "../../web/members.ts";
import { aKey, anUnknownKey } from "../keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../open-kernel.ts";
import { DOCUMENT } from "./document.ts";
import { REFUSED_IPS } from "./judge-response.ts";
import type { KnownValues } from "./fuzzed-requests.ts";

type Fate = NonNullable<MeterVerdict["refusedBy"]> | "unavailable";

/**
 * The full API over a seeded database. Some accounts and addresses are over their budgets, and one account's
 * meter is unavailable.
 */
export async function openFuzzedApi(): Promise<{ api: Kernel; known: KnownValues }> {
  const database = await createTestDatabase();
  const world = await aWorld(database.db);
  const fates = new Map<number, Fate>();
  const good = await aKey(database.db, { plan: "max" });
  const keys = [...(await refusedKeys(database)), ...(await overspentKeys(database, fates))];
  const runtime = { ...openTestRuntime(database.databaseUrl), requestLimiter: NO_REQUEST_LIMITS };
  const api = openKernel(withFates(runtime, fates), OPERATIONS);
  const values = valuesOf(world);
  return {
    api,
    known: {
      values,
      ofPath: await valuesOfPaths(api, good, world),
      secondPages: await secondPages(api, good, values),
      goodCredential: `Bearer ${good}`,
      credentials: [...keys, anUnknownKey(), `svc_sk_test_${"0".repeat(64)}`, "", "x".repeat(5_000)].map(
        (key) => `Bearer ${key}`,
      ),
      addresses: Object.keys(REFUSED_IPS),
      session: await aSession(runtime),
    },
  };
}

function valuesOf({ traders, markets, trades, games, picks }: World): KnownValues["values"] {
  const references = Object.values(traders).flatMap(({ id, address }) => [`trd_${id}`, address, `trd_${address}`]);
  const tradeIds = Object.values(trades).flatMap((id) => [`wt_${id}`, String(id)]);
  return {
    address: [...references, "Known", `0x${"e".repeat(40)}`],
    trader: references,
    wallet: [...references, "@known"],
    condition_id: Object.values(markets).flatMap(({ id, conditionId }) => [`mkt_${id}`, conditionId]),
    pick_id: Object.values(picks).map(String),
    row_id: Object.values(trades).flatMap((id) => [`wt_${id}`, `pe_${id}`, `pick_${id}`]),
    event_slug: Object.values(games).flatMap(({ slug }) => [slug, slug.toUpperCase()]),
    id: [...tradeIds, "wt_999999"],
    since: tradeIds,
    category: ["Politics", "politics", "Sports", "Soccer"],
    cohort: ["wider_holder", "emerging_pile", "in_play"],
    q: ["market", "happens", "Market 1"],
    max_age_s: ["0", "1000000000"],
    date: ["2026-11-20", "2026-11-21"],
    week: ["2026-47"],
    month: ["2026-11"],
  };
}

/**
 * Ids of flags, the inputs of follow-up requests of a large trade, and other values that belong to one path.
 */
async function valuesOfPaths(
  api: Kernel,
  key: string,
  { flags, trades, combos }: World,
): Promise<KnownValues["ofPath"]> {
  const flagged = { id: Object.values(flags).flatMap((id) => [`rf_${id}`, String(id)]) };
  const { body } = await api.send(`/api/v1/large-trades/${trades.matched}`, { key });
  const { snapshot_id, unavailable_executions } = body.data.counterparty_analysis;
  const execution = unavailable_executions[0].id;
  const matched = {
    id: [`wt_${trades.matched}`, String(trades.matched)],
    snapshot_id: [snapshot_id],
    execution_id: [execution],
  };
  const executions = ["large-trades", "whale-trades"].map(
    (spelling) => `/api/v1/${spelling}/{id}/counterparties/executions`,
  );
  return {
    "/api/v1/reports": { granularity: ["daily"], period: ["2026-11-20", "2026-11-21"] },
    "/api/v1/trader/{address}/pnl": {
      from: ["2026-11-01", "2026-11-10"],
      to: ["2026-11-20"],
      sections: ["stats", "entries,monthly"],
    },
    "/api/v1/trader/{address}/grade-at": { as_of: ["2026-11-20T12:00:00Z", "2020-01-01T00:00:00Z"] },
    "/api/v1/reports/weekly": { from: ["2026-11-20"], to: ["2026-11-21"] },
    "/api/v1/combos/fills": {
      result: ["all", "pending", "won,lost"],
      legs: ["2", "4,5+"],
      grades: ["S,A", "all"],
      sports: ["nba", "soccer,f1"],
      offset: ["0"],
      min_multiplier: ["0", "2"],
    },
    "/api/v1/combos/{condition_id}": { condition_id: Object.values(combos).map(({ conditionId }) => conditionId) },
    "/api/v1/suspicious-trades/{id}": flagged,
    "/api/v1/insider-radar/{id}": flagged,
    ...Object.fromEntries(
      executions.flatMap((path) => [path, `${path}/{execution_id}/makers`]).map((path) => [path, matched]),
    ),
  };
}

function refusedKeys({ db }: TestDatabase): Promise<string[]> {
  const past = new Date(Date.now() - 1_000);
  const facts = [{ revokedAt: past }, { expiresAt: past }, { scopes: [] }];
  const states = (["lapsed", "deleted", "locked"] as const).map((state) => ({ state }));
  return Promise.all(
    [...facts, ...states, { plan: "free" } as const, { plan: "pro" } as const].map((fact) => aKey(db, fact)),
  );
}

async function overspentKeys({ db }: TestDatabase, fates: Map<number, Fate>): Promise<string[]> {
  const keys: string[] = [];
  for (const fate of ["window", "batch", "quota", "unavailable"] as const) {
    keys.push(await aKey(db));
    const [account] = await db.select({ id: accounts.id }).from(accounts).orderBy(desc(accounts.id)).limit(1);
    if (account !== undefined) fates.set(account.id, fate);
  }
  return keys;
}

function withFates(runtime: Runtime, fates: ReadonlyMap<number, Fate>): Runtime {
  const retryAtMs = () => Date.now() + 30_000;
  return {
    ...runtime,
    meter: meterWith(runtime.meter, (request, { accountId }) => {
      const fate = fates.get(accountId);
      if (fate === "unavailable") throw new MeterUnavailable("made unavailable by the test");
      const verdict = unlimitedVerdict(request);
      return fate === undefined ? verdict : { ...verdict, refusedBy: fate, retryAtMs: retryAtMs(), accounting: null };
    }),
    ipBudget: {
      async spend(ip, budget, request) {
        const verdict = await UNLIMITED.ipBudget.spend(ip, budget, request);
        const refusedBy = Object.entries(REFUSED_IPS).find(([address]) => address === ip)?.[1];
        return refusedBy === undefined ? verdict : { ...verdict, refusedBy, retryAtMs: retryAtMs() };
      },
    },
  };
}

/** The query of the second page (of one row) of each list without a path parameter. */
async function secondPages(api: Kernel, key: string, values: KnownValues["values"]): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const { path } of OPERATIONS.filter((operation) => takesCursor(operation) && !operation.path.includes("{"))) {
    const required =
      DOCUMENT.paths[path]?.["get"]?.parameters?.filter(
        (parameter) => parameter.in === "query" && parameter.required,
      ) ?? [];
    const query = required.map(({ name }) => `${name}=${values[name]?.[0]}`).join("&");
    const { body } = await api.send(`${path}?limit=1&${query}`, { key });
    if (typeof body.next_cursor !== "string") throw new Error(`${path} has only one page`);
    pages[path] = `${query}&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  return pages;
}
