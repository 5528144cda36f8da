import type {
  Page,
  Provider,
  ProviderActivity,
  ProviderMarket,
  ProviderPosition,
  ProviderResolution,
  ProviderStanding,
  ProviderTrade,
} from "../../../src/ports/provider.ts";
import { pageOf } from "./trades.ts";

export interface Written {
  readonly takers: readonly Page<ProviderTrade>[];
  readonly all: readonly Page<ProviderTrade>[];
  /** By wallet address. */
  readonly activity: Readonly<Record<string, readonly Page<ProviderActivity>[]>>;
  readonly markets: readonly ProviderMarket[];
  readonly resolutions: readonly ProviderResolution[];
  /** Conditions of neg-risk events by index, by the provider's event id; none when absent. */
  readonly questions?: Readonly<Record<string, readonly string[]>>;
  /** By wallet address: its place on the all-time board, and its positions. */
  readonly standings?: Readonly<Record<string, readonly ProviderStanding[]>>;
  readonly positions?: Readonly<Record<string, Readonly<Record<"open" | "closed", readonly Page<ProviderPosition>[]>>>>;
}

/** A provider whose every page is written out; its cursors are page numbers. It lists no markets of its own accord. */
export function aWrittenProvider({
  takers,
  all,
  activity,
  markets,
  resolutions,
  questions = {},
  standings = {},
  positions = {},
}: Written): Provider {
  const of = <Row extends { readonly conditionId: string }>(rows: readonly Row[], ids: readonly string[]) =>
    pageOf(rows.filter((row) => ids.includes(row.conditionId)));
  return {
    listTrades: async (feed, cursor) => pageAt(feed === "takers" ? takers : all, cursor),
    listActivity: async (address, _since, cursor) => pageAt(activity[address] ?? [], cursor),
    listMarkets: async () => pageOf([]),
    findMarkets: async (ids) => of(markets, ids),
    findQuestions: async (eventId) => questions[eventId] ?? null,
    findResolutions: async (ids) => of(resolutions, ids),
    listHolders: async () => pageOf([]),
    findStanding: async (address) => pageOf(standings[address] ?? []),
    listPositions: async (address, state, cursor) => pageAt(positions[address]?.[state] ?? [], cursor),
    listBoard: async () => pageOf([]),
    findBooks: async () => pageOf([]),
  };
}

function pageAt<Row>(pages: readonly Page<Row>[], cursor: string | null): Page<Row> {
  const at = Number(cursor ?? 0);
  return { ...(pages[at] ?? pageOf([])), nextCursor: at + 1 < pages.length ? String(at + 1) : null };
}
