import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/api/operation.ts";
import { API_OPERATIONS, OPERATIONS } from "../../../src/operations/index.ts";
import type { TestApiResponse, ApiUnderTest } from "../../support/api/api-under-test.ts";
import { openFreshApi } from "../../support/api/fresh-api.ts";
import { registryRequestTo, type ValueOf } from "../../support/registry/registry-requests.ts";
import { readMatchedTrade, widestValues, worldValues } from "../../support/registry/world-values.ts";
import { aWorld, type World } from "../../support/seed/world.ts";

/*
 * Requests every read about a trader with fills only, and about a market that trades have named but no market
 * object describes. Unknown values are null or absent: every zero, empty string, list and object in such a
 * response must be in this table, as a true value or because the contract allows no other.
 */
const TRUE_EMPTIES: readonly { readonly path: RegExp; readonly because: string }[] = [
  {
    path: /^(data\.|trader\.)?(pnl|stats)=\{\}$/,
    because: "the object is required, and all its fields are optional and absent",
  },
  { path: /^index=0$/, because: "the first item of a batch" },
  { path: /^records=\[\]$/, because: "required; computed_at is null while there is no record" },
  {
    path: /^counterparty_analysis\.available_execution_count=0$/,
    because: "the number of matched executions; the status is unavailable",
  },
  {
    path: /^counterparty_analysis\.executions=\[\]$/,
    because: "required; the status is unavailable with a reason",
  },
  {
    path: /^window_(markets_traded|trade_days)=0$/,
    because: "required; the contract has 0 for traders that are not followed",
  },
  { path: /^daily_pnl_series=\[\]$/, because: "required; no day of the trader is known" },
  { path: /^outcomes=\[\]$/, because: "required, and an outcome without a label cannot be listed" },
  {
    path: /^(data\.)?(sharp|smart)_money\.((net_flow|buy_volume|sell_volume)_usd|(large|whale)_trade_count)=0$/,
    because: "sums and counts of a window's recorded trades: less than a cent or none",
  },
  { path: /^(data\.)?(sharp|smart)_money\.top_positions=\[\]$/, because: "required; no graded trader traded there" },
  { path: /^outcomes\[\]\.candles=\[\]$/, because: "required; no day has a price" },
  { path: /^holdings\[\]\.outcome_index=0$/, because: "the first outcome" },
  { path: /^snapshot\.version=0$/, because: "a report that is not stored has no version" },
  {
    path: /^(scan\.wallet_count|totals\.[a-z_.]+)=0$|^top=\[\]$/,
    because: "a complete scan found no holders",
  },
  { path: /^(competitors|markets)=\[\]$/, because: "required; the provider names no side, and no market" },
  { path: /^freshness\.source_age_seconds=0$/, because: "the board was read in this second" },
  { path: /^locked_picks=\[\]$/, because: "the plan of the key opens every pick" },
  { path: /^picks\[\]\.unit_score=0$/, because: "a void pick returns its stake" },
  {
    path: /^((fills\[\]|combo)\.)?legs=\[\]$/,
    because: "required; leg_count is null while the legs of a combo are not known",
  },
  {
    path: /^((fills\[\]\.)?outcome_index|combo\.totals\.last_fill_outcome_index)=0$/,
    because: "the first outcome",
  },
  { path: /^coverage\.cursors=\[\]$/, because: "required; there are no chain cursors, and the sources are beside it" },
  { path: /^(leaf_index|head\.sequence)=0$/, because: "the first row of its day, and the first day" },
  { path: /^path=\[\]$/, because: "the only row of its day is the root" },
  { path: /^evidence=\{\}$/, because: "the scorer's stored value" },
];

/** Reads without data of any trader or market. */
const ABOUT_NEITHER =
  /^(getApiDiscovery|redirectApiOpenapiSpec|getHealth|getCoverage|getPlatforms|registerAgent|getUsage|getAccountIdentity|getRecord|\w+Watchlists?)$/;

/** Reads that cannot show these two, with the reason. */
const CANNOT_SHOW: Readonly<Record<string, string>> = {
  listLeaderboard: "only graded traders are ranked",
  listLargeTradeCounterpartyExecutions: "an execution names its transaction and no trader",
  listWhaleTradeCounterpartyExecutions: "an execution names its transaction and no trader",
  getMarketHolders: "the first request starts a holder scan and returns read_model_warming",
  getCombosSummary: "it counts combos",
  getPickOfTheDayArchive: "an entry names no trader",
  getPickOfTheDayLedger: "an entry names no trader",
  getPickOfTheDayLedgerEntry: "an entry names no trader",
  listProofHeads: "a head names no trader",
  searchContent: "an object without title and name matches no words",
  searchMarkets: "a market without a title matches no words",
  exploreMarkets: "a market without a title is not listed",
  listPreGameSides: "a market that no market object describes is not judged",
  listPreGameSideObservations: "a market that no market object describes is not judged",
  listSportsEdgeObservations: "a market that no market object describes is not judged",
  getEdgeHunter: "a market that no market object describes is not judged",
};

let world: World;
let api: ApiUnderTest;
let required: ValueOf;

beforeAll(async () => {
  const fresh = await openFreshApi();
  world = await aWorld(fresh.db);
  api = fresh.api;
  required = worldValues(world, await readMatchedTrade(world, api.get), "bare");
});

/** The ids of the trader, the market and the game in responses. */
function namesOf(): string[] {
  const { traders, markets, games } = world;
  const tokens = markets.bare.outcomes.map(({ tokenId }) => `"${tokenId}"`);
  return [
    traders.nameless.address,
    `"trd_${traders.nameless.id}"`,
    markets.bare.conditionId,
    `"mkt_${markets.bare.id}"`,
    ...tokens,
    games.bare.slug,
  ];
}

/** The parts of a response that name one of them. */
function partsOf({ body }: TestApiResponse): unknown[] {
  const rows: unknown[] = body === null ? [] : Array.isArray(body.data) ? body.data : [body.data];
  return rows.filter((row) => namesOf().some((name) => (JSON.stringify(row) ?? "").includes(name)));
}

/** The paths of zeros and of empty strings, lists and objects, each with its value. */
function emptiesOf(value: unknown, path = ""): string[] {
  if (value === 0 || value === "") return [`${path}=${JSON.stringify(value)}`];
  if (Array.isArray(value))
    return value.length === 0 ? [`${path}=[]`] : value.flatMap((item) => emptiesOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path}={}`];
  return members.flatMap(([name, member]) => emptiesOf(member, path === "" ? name : `${path}.${name}`));
}

/** The empty values of a document: a `- name: value` line for each value, or blocks of JSON. */
const emptiesOfText = (text: string): string[] => [
  ...(text.match(/^- .*: (0|-0|null|undefined|NaN)?$/gm) ?? []),
  ...(text.match(/(^ {4}.*\n)+/gm) ?? []).flatMap((block) => emptiesOf(JSON.parse(block))),
];

const isTrue = (empty: string) => TRUE_EMPTIES.some(({ path }) => path.test(empty));

const fabricated = (parts: readonly unknown[]) =>
  parts.flatMap((part) => emptiesOf(part)).filter((empty) => !isTrue(empty));

async function send(operation: Operation): Promise<TestApiResponse> {
  // Positions of a trader with an unknown history are listed only when the request names the trader.
  const optionalValue: ValueOf = (name, of) =>
    name === "wallet" && of.id === "listPositions" ? world.traders.nameless.address : widestValues(name, of);
  const { path, body } = registryRequestTo(operation, required, optionalValue);
  return body === undefined ? api.get(path) : api.post(path, body);
}

describe("fabricated values", () => {
  const reads = API_OPERATIONS.filter(
    ({ id, kind, scope }) =>
      kind !== "stream" && kind !== "retired" && scope !== "webhooks" && scope !== "export" && !ABOUT_NEITHER.test(id),
  );

  test.each(reads.map((operation) => [operation.id, operation] as const))(
    "%s shows no unknown value as a zero or an empty string, list or object",
    async (id, operation) => {
      const response = await send(operation);
      const { text } = response;
      const isText = operation.kind === "text";
      const parts = partsOf(response);
      // A response that does not name them would prove nothing.
      const isAbout =
        response.status === 200 && (isText ? namesOf().some((name) => text.includes(name)) : parts.length > 0);
      expect({ id, isAbout }).toEqual({ id, isAbout: CANNOT_SHOW[id] === undefined });
      const empties = isText ? emptiesOfText(text).filter((empty) => !isTrue(empty)) : fabricated(parts);
      expect({ id, empties }).toEqual({ id, empties: [] });
    },
  );
});

test("requestTo throws with the operation's name for a required parameter without a value", () => {
  const [read] = OPERATIONS.filter(({ id }) => id === "getTrader");
  if (read === undefined) throw new Error("getTrader is gone");
  const unknown = { ...read, id: "getOrbit", path: "/api/v1/orbit/{orbit_id}" };
  expect(() => registryRequestTo(unknown, required, widestValues)).toThrow("getOrbit requires orbit_id");
});

test("a zero planted in a real response is found", async () => {
  const { body } = await api.get(`/api/v1/trader/${world.traders.nameless.address}`);
  const planted = [
    { pnl: { realized: 0 } },
    { stats: { win_rate: 0 } },
    { username: "" },
    { category_strengths: {} },
    { quant_metrics: [] },
  ];
  for (const zero of planted) expect(fabricated([{ ...body.data, ...zero }])).toHaveLength(1);
});
