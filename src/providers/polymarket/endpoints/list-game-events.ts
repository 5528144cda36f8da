import {
  ProviderUnavailable,
  type GameEventList,
  type ProviderGameEvent,
  type ProviderPage,
} from "../../../platform/provider.ts";
import { buildUrl, type QueryValue } from "../http/build-url.ts";
import { toGameEvent } from "../mapping/sports/game-event.ts";
import { GameEvent, GameEventPage } from "../payloads/sports/game-event.ts";
import { parseProviderRecords } from "../payloads/parse-provider-records.ts";
import { collectPages } from "./collect-pages.ts";
import type { Source } from "./source.ts";

/** Maximum page size; the provider silently reduces a larger limit. */
const PAGE_ROWS = 100;
/** Games in one URL. */
const GAMES_AT_ONCE = 50;
/** The tag of every game of two sides. */
const GAMES_TAG = "games";

/** Reads one page of Gamma's events of games, in the order of their ids. */
export async function listGameEvents(
  source: Source,
  list: GameEventList,
  since: Date,
  cursor: string | null,
): Promise<ProviderPage<ProviderGameEvent>> {
  const page = await readGamePage(source, filterOf(list, since), cursor);
  // The provider silently ignores a filter that it does not understand and returns arbitrary events.
  if (list === "live" && page.rows.length > 0 && page.rows.every(({ state }) => state.live !== true))
    throw new ProviderUnavailable("gamma.events: the response contains no game in play", null);
  return page;
}

function filterOf(list: GameEventList, since: Date): Readonly<Record<string, QueryValue>> {
  switch (list) {
    case "live":
      return { live: true };
    case "open":
      return { closed: false, tag_slug: GAMES_TAG };
    case "closed":
      return { closed: true, tag_slug: GAMES_TAG, start_time_min: since.toISOString() };
  }
}

/** Reads the events of games by game id: the open ones and the closed ones. */
export async function findGameEvents(
  source: Source,
  gameIds: readonly string[],
): Promise<ProviderPage<ProviderGameEvent>> {
  const numeric = gameIds.filter((id) => /^\d+$/.test(id)).slice(0, GAMES_AT_ONCE);
  if (numeric.length === 0) return { rows: [], nextCursor: null, quarantined: [] };
  const parts = [];
  for (const closed of [false, true]) {
    const part = await collectPages((cursor) => readGamePage(source, { closed, game_id: numeric }, cursor));
    if (part.rows.some(({ gameId }) => !numeric.includes(gameId)))
      throw new ProviderUnavailable("gamma.events: the response contains games that were not requested", null);
    parts.push(part);
  }
  return {
    rows: parts.flatMap(({ rows }) => rows),
    nextCursor: null,
    quarantined: parts.flatMap(({ quarantined }) => quarantined),
  };
}

/** Bypasses the edge cache: a cached event may have a score from minutes ago. */
async function readGamePage(
  source: Source,
  filter: Readonly<Record<string, QueryValue>>,
  cursor: string | null,
): Promise<ProviderPage<ProviderGameEvent>> {
  const query = {
    ...filter,
    include_markets: false,
    limit: PAGE_ROWS,
    after_cursor: cursor,
    _: source.cacheBuster(),
  };
  const page = await source.http.read({
    route: "gamma.events",
    call: () => ({ url: buildUrl(source.urls.gammaUrl, "/events/keyset", query) }),
    schema: GameEventPage,
    findFault: (response) =>
      cursor !== null && response.next_cursor === cursor ? "the next cursor equals the requested one" : null,
  });
  return { ...parseProviderRecords(page.events, GameEvent, toGameEvent), nextCursor: page.next_cursor };
}
