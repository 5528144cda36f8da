import type {
  ProviderPage,
  Provider,
  ProviderActivity,
  ProviderComboEvent,
  ProviderComboPosition,
  ProviderLegMarket,
  ProviderMarket,
  ProviderPosition,
  ProviderResolution,
  ProviderAllTimeStats,
  ProviderTrade,
} from "../../../../src/platform/provider.ts";
import { pageOf } from "./provider-trades.ts";

export interface ProviderPages {
  readonly takers: readonly ProviderPage<ProviderTrade>[];
  readonly all: readonly ProviderPage<ProviderTrade>[];
  /** By wallet address. */
  readonly activity: Readonly<Record<string, readonly ProviderPage<ProviderActivity>[]>>;
  readonly markets: readonly ProviderMarket[];
  readonly resolutions: readonly ProviderResolution[];
  /** Conditions of neg-risk events by index, by the provider's event id; none when absent. */
  readonly questions?: Readonly<Record<string, readonly string[]>>;
  /** By wallet address: rows of the all-time leaderboard. Positions are by wallet address too. */
  readonly standings?: Readonly<Record<string, readonly ProviderAllTimeStats[]>>;
  readonly positions?: Readonly<
    Record<string, Readonly<Record<"open" | "closed", readonly ProviderPage<ProviderPosition>[]>>>
  >;
  /** By wallet address. */
  readonly comboPositions?: Readonly<Record<string, readonly ProviderPage<ProviderComboPosition>[]>>;
  readonly comboActivity?: Readonly<Record<string, readonly ProviderPage<ProviderComboEvent>[]>>;
  readonly legMarkets?: readonly ProviderLegMarket[];
}

/** A provider whose every page is given; its cursors are page numbers. It lists no markets. */
export function aPagedProvider({
  takers,
  all,
  activity,
  markets,
  resolutions,
  questions = {},
  standings = {},
  positions = {},
  comboPositions = {},
  comboActivity = {},
  legMarkets = [],
}: ProviderPages): Provider {
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
    findAllTimeStats: async (address) => pageOf(standings[address] ?? []),
    listPositions: async (address, state, cursor) => pageAt(positions[address]?.[state] ?? [], cursor),
    listLeaderboard: async () => pageOf([]),
    listComboPositions: async (address, cursor) => pageAt(comboPositions[address] ?? [], cursor),
    listComboActivity: async (address, cursor) => pageAt(comboActivity[address] ?? [], cursor),
    findLegMarkets: async (ids) => pageOf(legMarkets.filter((row) => row.positionIds.some((id) => ids.includes(id)))),
    findTokenMarkets: async (ids) =>
      pageOf(markets.filter(({ outcomes }) => outcomes.some(({ tokenId }) => ids.includes(tokenId)))),
    findBooks: async () => pageOf([]),
    listGameEvents: async () => pageOf([]),
    findGameEvents: async () => pageOf([]),
  };
}

function pageAt<Row>(pages: readonly ProviderPage<Row>[], cursor: string | null): ProviderPage<Row> {
  const page = Number(cursor ?? 0);
  return { ...(pages[page] ?? pageOf([])), nextCursor: page + 1 < pages.length ? String(page + 1) : null };
}
