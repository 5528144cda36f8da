import { beforeAll, describe, expect, test } from "vitest";
import { API_OPERATIONS } from "../../../../src/operations/index.ts";
import type { KernelResponse } from "../../../support/kernel/open-kernel.ts";
import { LISTS, openRegistryApi, READS, type RegistryApi } from "../../../support/registry/open-registry-api.ts";

/** What strict client libraries require of successful responses. The number is a section of that document. */
interface Demand {
  readonly section: number;
  readonly demand: string;
  check(demanded: RegistryApi): Promise<void> | void;
}

const STATUSES = ["fresh", "partial", "unknown", "untracked", "unavailable"];
/** Lists whose last page has next_cursor null instead of no field. */
const ALWAYS_SENT = ["listPreGameSideObservations", "listSportsEdgeObservations", "getEdgeHunter"];

async function eachRead(demanded: RegistryApi, check: (id: string, response: KernelResponse) => void): Promise<void> {
  for (const operation of READS) check(operation.id, await demanded.request(operation));
}

async function eachEnvelope(
  demanded: RegistryApi,
  check: (id: string, response: KernelResponse) => void,
): Promise<void> {
  await eachRead(demanded, (id, response) => (response.body === null ? undefined : check(id, response)));
}

/** Pages through a list, one row per page, and repeats the filters with every cursor. */
async function walk(demanded: RegistryApi, id: string): Promise<KernelResponse[]> {
  const operation = LISTS.find((list) => list.id === id);
  if (operation === undefined) throw new Error(`${id} is not a list`);
  const pages = [await demanded.request(operation, "limit=1")];
  while (pages.at(-1)?.body.has_more === true && pages.length < 50) {
    pages.push(
      await demanded.request(operation, `limit=1&cursor=${encodeURIComponent(pages.at(-1)?.body.next_cursor)}`),
    );
  }
  return pages;
}

/** Every object named data_quality in a response. */
function qualitiesIn(value: unknown): any[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === "data_quality" ? [member] : qualitiesIn(member)));
}

const DEMANDS: readonly Demand[] = [
  {
    section: 1,
    demand: "operation paths start with /api/v1/",
    check: () =>
      expect(API_OPERATIONS.filter(({ path }) => path !== "/api/v1" && !path.startsWith("/api/v1/"))).toEqual([]),
  },
  {
    section: 1,
    demand: "a path value is percent-encoded once",
    async check({ api, world }) {
      const { body } = await api.send("/api/v1/trader/%4bnown");
      expect(body.data.address).toBe(world.traders.known.address);
      expect((await api.send("/api/v1/trader/%254bnown")).status).toBe(404);
    },
  },
  {
    section: 1,
    demand: "an array parameter can be a repeated name, a bracketed name or a comma-separated list",
    async check({ requestById }) {
      const spellings = [
        "expand=trust&expand=strategy",
        "expand[]=trust&expand[]=strategy",
        "expand=trust,strategy",
        "expand=strategy&expand[]=trust",
      ];
      for (const query of spellings) {
        const { data } = (await requestById("getTrader", query)).body;
        expect({ query, trust: "trust" in data, strategy: "strategy" in data }).toEqual({
          query,
          trust: true,
          strategy: true,
        });
      }
    },
  },
  {
    section: 1,
    demand: "the headers that libraries send do not change the response",
    async check({ requestById }) {
      const headers = {
        accept: "application/json",
        "idempotency-key": "k",
        "last-event-id": "5",
        "x-query-validation": "strict",
      };
      expect((await requestById("getTrader", "", headers)).body.data).toEqual(
        (await requestById("getTrader")).body.data,
      );
      const accept = "text/markdown, text/plain;q=0.9, */*;q=0.1";
      expect((await requestById("getTraderContextMarkdown", "", { accept })).status).toBe(200);
    },
  },
  {
    section: 2,
    demand: "every JSON response with status 2xx has the fields object and data",
    check: (demanded) =>
      eachEnvelope(demanded, (id, { status, body }) => {
        expect({ id, status, object: typeof body.object, data: "data" in body }).toEqual({
          id,
          status: 200,
          object: "string",
          data: true,
        });
      }),
  },
  {
    section: 2,
    demand: "meta has the request_id of the header, cached and, except in a batch, an integer cost",
    check: (demanded) =>
      eachEnvelope(demanded, (id, { headers, body: { meta } }) => {
        expect(meta.request_id).toMatch(/^req_/);
        expect(meta.request_id).toBe(headers.get("x-request-id"));
        const cost = id.startsWith("batch") ? !("cost" in meta) : Number.isInteger(meta.cost);
        expect({ id, cached: typeof meta.cached, cost }).toEqual({ id, cached: "boolean", cost: true });
      }),
  },
  {
    section: 2,
    demand: "a cached response reports its age in whole seconds",
    async check({ requestById }) {
      await requestById("getTrader");
      const { meta } = (await requestById("getTrader")).body;
      expect(meta).toMatchObject({ cached: true, cache_age_s: expect.toSatisfy(Number.isInteger) });
    },
  },
  {
    section: 2,
    demand: "the meta of a batch has the item counts, the units and the batch budget",
    async check(demanded) {
      for (const { id } of READS.filter(
        (operation) => operation.kind === "single" && operation.batchUnits !== undefined,
      )) {
        const { meta } = (await demanded.requestById(id)).body;
        expect(meta).toMatchObject({ total_items: 1, successful_items: 1, failed_items: 0, request_cost: 1 });
        const { basis, ...numbers } = meta.rate_limit;
        expect({ id, basis }).toEqual({ id, basis: "batch_items_per_minute" });
        expect(Object.keys(numbers).toSorted()).toEqual(["limit", "remaining", "reset"]);
        expect(Object.values(numbers).every(Number.isInteger)).toBe(true);
      }
    },
  },
  {
    section: 2,
    demand: "a list has object list, an array as data, a boolean has_more and a string, null or absent next_cursor",
    check: (demanded) =>
      eachEnvelope(demanded, (id, { body }) => {
        if (!LISTS.some((list) => list.id === id)) return;
        const more = typeof body.has_more;
        expect({ id, object: body.object, data: Array.isArray(body.data), more }).toEqual({
          id,
          object: "list",
          data: true,
          more: "boolean",
        });
        expect(["string", "undefined", "object"]).toContain(typeof body.next_cursor);
      }),
  },
  {
    section: 2,
    demand: "a page with has_more has a new cursor, and the last page has none",
    async check(demanded) {
      for (const { id } of LISTS) {
        const pages = await walk(demanded, id);
        const cursors = pages.slice(0, -1).map(({ body }) => body.next_cursor);
        expect({ id, statuses: new Set(pages.map(({ status }) => status)) }).toEqual({ id, statuses: new Set([200]) });
        expect(cursors.every((cursor) => typeof cursor === "string" && cursor !== "")).toBe(true);
        expect(new Set(cursors).size).toBe(cursors.length);
        const last = pages.at(-1)?.body;
        expect({ id, more: last.has_more, sent: "next_cursor" in last }).toEqual({
          id,
          more: false,
          sent: ALWAYS_SENT.includes(id),
        });
      }
    },
  },
  {
    section: 2,
    demand: "a text operation returns text/markdown without an ETag",
    async check(demanded) {
      const texts = READS.filter(({ kind }) => kind === "text");
      expect(texts.length).toBeGreaterThan(0);
      for (const operation of texts) {
        const { status, headers, text } = await demanded.request(operation);
        const type = headers.get("content-type")?.split(";")[0];
        expect({ id: operation.id, status, type, etag: headers.get("etag") }).toEqual({
          id: operation.id,
          status: 200,
          type: "text/markdown",
          etag: null,
        });
        expect(text).toMatch(/^# (Trader|Market) context\n/);
      }
    },
  },
  {
    section: 2,
    demand: "ignored query names and the effective query are reported in headers",
    async check(demanded) {
      for (const operation of READS) {
        const { headers } = await demanded.request(operation, "surprise=1");
        const effective = new URLSearchParams(headers.get("x-effective-query") ?? "").has("surprise");
        expect({ id: operation.id, ignored: headers.get("x-query-ignored"), effective }).toEqual({
          id: operation.id,
          ignored: "surprise",
          effective: false,
        });
      }
    },
  },
  {
    section: 2,
    demand: "a list has its documented top-level fields",
    async check({ requestById }) {
      const topLevel: Record<string, readonly string[]> = {
        exploreMarkets: ["facets", "computed_at", "fresh_for_seconds"],
        getMarketHolders: ["market", "scan", "totals"],
        listLargeTrades: ["data_quality"],
        listPositions: ["data_quality"],
      };
      for (const [id, names] of Object.entries(topLevel)) {
        expect({ id, ...(await requestById(id)).body }).toMatchObject(
          Object.fromEntries([["id", id], ...names.map((name) => [name, expect.anything()])]),
        );
      }
    },
  },
  {
    section: 2,
    demand: "explore has total on the first page only",
    async check({ requestById }) {
      const first = (await requestById("exploreMarkets", "limit=1")).body;
      expect(typeof first.total).toBe("number");
      const second = (await requestById("exploreMarkets", `limit=1&cursor=${encodeURIComponent(first.next_cursor)}`))
        .body;
      expect(second).not.toHaveProperty("total");
    },
  },
  {
    section: 2,
    demand: "positions with consistency=snapshot describe the snapshot",
    async check({ requestById, world }) {
      const { snapshot } = (
        await requestById("listPositions", `consistency=snapshot&wallet=${world.traders.known.address}`)
      ).body;
      expect(snapshot).toMatchObject({
        as_of: expect.any(String),
        expires_at: expect.any(String),
        row_count: expect.any(Number),
      });
    },
  },
  {
    section: 2,
    demand: "a group of data_quality has owner and status, and as_of when fresh, otherwise a reason",
    async check(demanded) {
      let seen = 0;
      await eachEnvelope(demanded, (id, { body }) => {
        for (const { status, field_groups: groups } of qualitiesIn(body)) {
          expect({ id, known: STATUSES.includes(status) }).toEqual({ id, known: true });
          for (const group of groups) {
            seen++;
            const { group: name, owner, status: own, as_of: asOf, reason } = group;
            expect({ id, name: typeof name, owner: typeof owner, known: STATUSES.includes(own) }).toEqual({
              id,
              name: "string",
              owner: "string",
              known: true,
            });
            if (own === "fresh")
              expect({ id, name, clock: Number.isNaN(Date.parse(asOf)) }).toEqual({ id, name, clock: false });
            else expect({ id, name, reason: typeof reason }).toEqual({ id, name, reason: "string" });
          }
        }
      });
      expect(seen).toBeGreaterThan(0);
    },
  },
  {
    section: 5,
    demand: "a repeated batch returns the same data",
    async check({ post, world }) {
      const body = { traders: [world.traders.known.address, "nobody", "nobody"] };
      const [first, second] = [await post("/api/v1/traders/batch", body), await post("/api/v1/traders/batch", body)];
      expect(second.body.data).toEqual(first.body.data);
      expect(first.body.data.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2]);
    },
  },
  {
    section: 5,
    demand: "an authenticated response has the minute and month budgets, its accounting and its duration",
    async check(demanded) {
      const numbers = [
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
      ];
      const month = ["x-monthly-quota-limit", "x-monthly-quota-remaining", "x-monthly-quota-reset"];
      for (const operation of READS.filter(({ access }) => access === "key")) {
        const { headers } = await demanded.request(operation);
        const isBatch = operation.kind === "single" && operation.batchUnits !== undefined;
        const batch = isBatch
          ? ["x-request-cost", "x-batch-ratelimit-limit", "x-batch-ratelimit-remaining", "x-batch-ratelimit-reset"]
          : [];
        const missing = [...numbers, ...month, ...batch].filter((name) => !/^\d+$/.test(headers.get(name) ?? ""));
        expect({ id: operation.id, missing }).toEqual({ id: operation.id, missing: [] });
        expect(headers.get("server-timing")).toMatch(/^api;dur=\d/);
        const accounting = operation.id === "getUsage" ? null : "persisted";
        expect({ id: operation.id, accounting: headers.get("x-usage-accounting") }).toEqual({
          id: operation.id,
          accounting,
        });
      }
    },
  },
  {
    section: 6,
    demand: "the URL of the OpenAPI document redirects with a Location",
    async check({ api }) {
      const { status, headers } = await api.send("/api/v1/openapi.json");
      expect({ status, location: URL.canParse(headers.get("location") ?? "") }).toEqual({
        status: 307,
        location: true,
      });
    },
  },
];

let demanded: RegistryApi;

beforeAll(async () => {
  demanded = await openRegistryApi();
});

describe.each(Object.entries(Object.groupBy(DEMANDS, ({ section }) => String(section))))(
  "client demands on responses, section %s",
  (_, demands = []) => {
    test.each(demands)("$demand", ({ check }) => check(demanded));
  },
);
