import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/api/operation.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Answer, ApiUnderTest } from "../../support/api-under-test.ts";
import { openFreshApi } from "../../support/fresh-api.ts";
import { requestTo, type ValueOf } from "../../support/registry/requests.ts";
import { readMatchedTrade, widest, worldValues } from "../../support/registry/world-values.ts";
import { aWorld, type World } from "../../support/seed/world.ts";

/*
 * Walks every read about a wallet of which nothing but its fills is known, and a market that trades have named and nothing has described.
 * What is not known of them is null or absent: every zero, empty text, empty list and empty object in what an answer says of them has to
 * stand in this table, as a true one or as one that the contract leaves no other way to say.
 */
const TRUE_EMPTIES: readonly { readonly path: RegExp; readonly because: string }[] = [
  { path: /^(data\.|trader\.)?(pnl|stats)=\{\}$/, because: "the object is required, every field in it is optional, and none is there" },
  { path: /^index=0$/, because: "the first item of a batch" },
  { path: /^records=\[\]$/, because: "required; computed_at is null while there is no record" },
  { path: /^counterparty_analysis\.available_execution_count=0$/, because: "counts what could be matched; the status says unavailable" },
  { path: /^counterparty_analysis\.executions=\[\]$/, because: "required; the status says unavailable, with its reason" },
  { path: /^window_(markets_traded|trade_days)=0$/, because: "required; the contract has 0 for wallets that are not followed" },
  { path: /^daily_pnl_series=\[\]$/, because: "required; no day of the wallet is known" },
  { path: /^outcomes=\[\]$/, because: "required, and an outcome without a label cannot be among them" },
  {
    path: /^(data\.)?(sharp|smart)_money\.((net_flow|buy_volume|sell_volume)_usd|(large|whale)_trade_count)=0$/,
    because: "sums and counts of the recorded trades of a window, which come to less than a cent or are none",
  },
  { path: /^(data\.)?(sharp|smart)_money\.top_positions=\[\]$/, because: "required; no graded wallet traded there" },
  { path: /^outcomes\[\]\.candles=\[\]$/, because: "required; it has no price of any day" },
  { path: /^holdings\[\]\.outcome_index=0$/, because: "the first outcome" },
  { path: /^snapshot\.version=0$/, because: "a report that is not stored yet has had no version" },
  { path: /^(scan\.wallet_count|totals\.[a-z_.]+)=0$|^top=\[\]$/, because: "a whole scan found that nobody holds the market" },
  { path: /^evidence=\{\}$/, because: "what the scorer stored" },
];

/** Reads that have nothing to say of any wallet or market. */
const ABOUT_NEITHER = /^(getApiDiscovery|redirectApiOpenapiSpec|getHealth|getCoverage|getPlatforms|getUsage|getAccountIdentity)$/;

/** Reads that cannot show these two, and why. */
const CANNOT_SHOW: Readonly<Record<string, string>> = {
  listLeaderboard: "only wallets with a letter are ranked",
  listLargeTradeCounterpartyExecutions: "an execution names its transaction and no wallet",
  listWhaleTradeCounterpartyExecutions: "an execution names its transaction and no wallet",
  getMarketHolders: "holders are scanned once somebody asks; until then it is read_model_warming",
  searchContent: "what has neither a title nor a name matches no words",
  searchMarkets: "a market without a title matches no words",
  exploreMarkets: "a market without a title is not explored",
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

/** What the two are called in answers. */
function namesOf(): string[] {
  const { wallets, markets } = world;
  const tokens = markets.bare.outcomes.map(({ tokenId }) => `"${tokenId}"`);
  return [wallets.nameless.address, `"trd_${wallets.nameless.id}"`, markets.bare.conditionId, `"mkt_${markets.bare.id}"`, ...tokens];
}

/** What an answer says of the two: its rows that name one of them. */
function partsOf({ body }: Answer): unknown[] {
  const rows: unknown[] = body === null ? [] : Array.isArray(body.data) ? body.data : [body.data];
  return rows.filter((row) => namesOf().some((name) => (JSON.stringify(row) ?? "").includes(name)));
}

/** The paths of zeros, empty texts, lists and objects, each with what stands there. */
function emptiesOf(value: unknown, path = ""): string[] {
  if (value === 0 || value === "") return [`${path}=${JSON.stringify(value)}`];
  if (Array.isArray(value)) return value.length === 0 ? [`${path}=[]`] : value.flatMap((item) => emptiesOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  const members = Object.entries(value);
  if (members.length === 0) return [`${path}={}`];
  return members.flatMap(([name, member]) => emptiesOf(member, path === "" ? name : `${path}.${name}`));
}

/** What a document says: a `- name: value` line for each value, or blocks of JSON. */
const emptiesOfText = (text: string): string[] => [
  ...(text.match(/^- .*: (0|-0|null|undefined|NaN)?$/gm) ?? []),
  ...(text.match(/(^ {4}.*\n)+/gm) ?? []).flatMap((block) => emptiesOf(JSON.parse(block))),
];

const isTrue = (empty: string) => TRUE_EMPTIES.some(({ path }) => path.test(empty));

const fabricated = (parts: readonly unknown[]) => parts.flatMap((part) => emptiesOf(part)).filter((empty) => !isTrue(empty));

async function ask(operation: Operation): Promise<Answer> {
  // Of a wallet whose history is not known, positions are listed when it is named.
  const offered: ValueOf = (name, of) =>
    name === "wallet" && of.id === "listPositions" ? world.wallets.nameless.address : widest(name, of);
  const { path, body } = requestTo(operation, required, offered);
  return body === undefined ? api.get(path) : api.post(path, body);
}

describe("no value that is not known is shown as a zero, an empty text, list or object", () => {
  const reads = OPERATIONS.filter(
    ({ id, kind, scope }) => kind !== "stream" && scope !== "webhooks" && scope !== "export" && !ABOUT_NEITHER.test(id),
  );

  test.each(reads.map((operation) => [operation.id, operation] as const))("by %s", async (id, operation) => {
    const answer = await ask(operation);
    const { text } = answer;
    const isText = operation.kind === "text";
    const parts = partsOf(answer);
    // An answer that does not speak of them proves nothing.
    const isAbout = answer.status === 200 && (isText ? namesOf().some((name) => text.includes(name)) : parts.length > 0);
    expect({ id, isAbout }).toEqual({ id, isAbout: CANNOT_SHOW[id] === undefined });
    const found = isText ? emptiesOfText(text).filter((empty) => !isTrue(empty)) : fabricated(parts);
    expect({ id, found }).toEqual({ id, found: [] });
  });
});

test("an operation that requires what nothing stands for is not left out but fails with its name", () => {
  const [read] = OPERATIONS.filter(({ id }) => id === "getTrader");
  if (read === undefined) throw new Error("getTrader is gone");
  const unknown = { ...read, id: "getOrbit", path: "/api/v1/orbit/{orbit_id}" };
  expect(() => requestTo(unknown, required, widest)).toThrow("getOrbit requires orbit_id");
});

test("a zero planted in a real answer is found", async () => {
  const { body } = await api.get(`/api/v1/trader/${world.wallets.nameless.address}`);
  const planted = [
    { pnl: { realized: 0 } },
    { stats: { win_rate: 0 } },
    { username: "" },
    { category_strengths: {} },
    { quant_metrics: [] },
  ];
  for (const zero of planted) expect(fabricated([{ ...body.data, ...zero }])).toHaveLength(1);
});
