import type { z } from "zod";
import type { Config } from "../../config.ts";
import { ProviderUnavailable, type Page, type Provider, type ProviderActivity } from "../../ports/provider.ts";
import type { RouteClass } from "./budget.ts";
import { ProviderHttp, type ClientPorts } from "./http-client.ts";
import { toBoardRow, toBook, toResolution } from "./mapping/figures.ts";
import { toMarket } from "./mapping/markets.ts";
import { toOtherActivity, toTrade, toTradeActivity } from "./mapping/trades.ts";
import { parseRows } from "./parse-rows.ts";
import { Book, Books } from "./payloads/clob.ts";
import { DataPage, LeaderboardRow, OtherActivityRow, ResolutionRow, TradeActivityRow, TradeRow } from "./payloads/data-api.ts";
import { GammaMarket, MarketsPage } from "./payloads/gamma.ts";

const DATA_ROWS = "1000";
const MARKET_ROWS = "100";
/** `start` of 0 or none means three years; 1 means everything. */
const FULL_HISTORY = "1";

/** The provider behind its HTTP interfaces: Gamma for markets, Data API v2 for activity and figures, CLOB for books. */
export function createPolymarketProvider({ urls, ...ports }: ClientPorts & { urls: Config["provider"] }): Provider {
  const http = new ProviderHttp(ports);

  /** The edge caches full URLs for minutes; a parameter that changes each time gets the present. */
  const nonce = () => Math.floor(ports.random() * 1e12).toString(36);

  async function read<S extends z.ZodType>(routeClass: RouteClass, envelope: S, url: string, body?: unknown): Promise<z.output<S>> {
    const parsed = envelope.safeParse(await http.readJson(routeClass, url, body));
    if (!parsed.success) throw new ProviderUnavailable(`${routeClass}: an answer of another shape`, null, { cause: parsed.error });
    return parsed.data;
  }

  async function readData(routeClass: RouteClass, path: string, query: Record<string, string | null>) {
    const { data, pagination } = await read(routeClass, DataPage, `${urls.dataUrl}/v2/${path}?${encode(query)}`);
    const cursor = query["cursor"] ?? null;
    const nextCursor = pagination?.next_cursor ?? null;
    if (nextCursor !== null && nextCursor === cursor) throw new ProviderUnavailable(`${routeClass}: the cursor does not move`, null);
    return { records: data ?? [], nextCursor };
  }

  async function readMarkets(query: [string, string][]) {
    const { markets, next_cursor } = await read("markets", MarketsPage, `${urls.gammaUrl}/markets/keyset?${new URLSearchParams(query)}`);
    return { ...parseRows(markets, () => GammaMarket, toMarket), nextCursor: next_cursor ?? null };
  }

  return {
    async listTrades(feed, cursor) {
      const query = { taker_only: String(feed === "takers"), limit: DATA_ROWS, cursor, _: nonce() };
      const { records, nextCursor } = await readData("trades", "trades", query);
      return { ...parseRows(records, () => TradeRow, toTrade), nextCursor };
    },

    async listActivity(address, since, cursor) {
      const start = since === null ? FULL_HISTORY : String(Math.max(1, Math.floor(since.getTime() / 1000)));
      const query = { user: address, limit: DATA_ROWS, sort_by: "TIMESTAMP", sort_direction: "ASC", start, cursor, _: nonce() };
      const { records, nextCursor } = await readData("activity", "activity", query);
      return { ...parseActivity(records), nextCursor };
    },

    async listMarkets(state, cursor) {
      const query: [string, string][] = [
        ["limit", MARKET_ROWS],
        ["closed", String(state === "closed")],
        ["order", "startDate"],
        ["ascending", "false"],
        ["include_tag", "true"],
      ];
      if (cursor !== null) query.push(["after_cursor", cursor]);
      return readMarkets(query);
    },

    async findMarkets(conditionIds) {
      // A look-up finds open markets only, unless closed ones are asked for; so it is made twice.
      const pages = await Promise.all(
        ["false", "true"].map((closed) =>
          readMarkets([
            ...conditionIds.map((id): [string, string] => ["condition_ids", id]),
            ["limit", MARKET_ROWS],
            ["closed", closed],
            ["include_tag", "true"],
          ]),
        ),
      );
      const asked = new Set(conditionIds);
      // A filter the provider does not understand is ignored in silence and everything comes back.
      const rows = pages.flatMap((page) => page.rows).filter((row) => asked.has(row.conditionId));
      return { rows, misfits: pages.flatMap((page) => page.misfits), nextCursor: null };
    },

    async findResolutions(conditionIds) {
      const { records } = await readData("data", "resolutions", { condition: conditionIds.join(",") });
      return { ...parseRows(records, () => ResolutionRow, toResolution), nextCursor: null };
    },

    async listBoard(period, limit) {
      const query = { time_period: period, sort_by: "PNL", limit: String(limit) };
      const { records } = await readData("data", "leaderboard", query);
      return { ...parseRows(records.slice(0, limit), () => LeaderboardRow, toBoardRow), nextCursor: null };
    },

    async findBooks(tokenIds) {
      const books = await read("books", Books, `${urls.clobUrl}/books`, tokenIds.map((token_id) => ({ token_id })));
      return { ...parseRows(books, () => Book, toBook), nextCursor: null };
    },
  };
}

function parseActivity(records: readonly unknown[]): Pick<Page<ProviderActivity>, "rows" | "misfits"> {
  const isTrade = (record: unknown) => typeof record === "object" && record !== null && "type" in record && record.type === "TRADE";
  return parseRows(
    records,
    (record) => (isTrade(record) ? TradeActivityRow : OtherActivityRow),
    (row): ProviderActivity =>
      row.type === "TRADE" ? { kind: "trade", trade: toTradeActivity(row) } : { kind: "other", activity: toOtherActivity(row) },
  );
}

function encode(query: Record<string, string | null>): string {
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(present).toString();
}
