import type { MarketEvent, ProviderWorld } from "../../provider-world.ts";
import { isClosed, isCreated, presentEvent, presentMarket } from "./gamma-objects.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Route } from "../request.ts";

const get = (pattern: RegExp, answer: Route["handle"]): Route => ({
  service: "gamma",
  method: "GET",
  pattern,
  handle: answer,
});

export const gammaSingleRoutes: readonly Route[] = [
  get(/^\/status$/, () => ok("OK")),
  get(/^\/tags$/, handleTags),
  get(/^\/sports$/, ({ world }) => ok(world.listSports())),
  get(/^\/teams$/, handleTeams),
  get(/^\/public-search$/, handleSearch),
  get(/^\/public-profile$/, handleProfile),
  get(/^\/markets\/slug\/([^/]+)$/, (request) => handleMarket(request, "slug")),
  get(/^\/markets\/(\d+)$/, (request) => handleMarket(request, "id")),
  get(/^\/events\/slug\/([^/]+)$/, ({ world, captured }) =>
    handleEvent(world, world.catalog.findEventBySlug(captured[0] ?? "")),
  ),
  get(/^\/events\/(\d+)$/, ({ world, captured }) => handleEvent(world, world.catalog.findEvent(captured[0] ?? ""))),
];

function handleMarket({ world, query, captured }: ProviderRequest, by: "id" | "slug"): ProviderResponse {
  const key = captured[0] ?? "";
  const market = by === "id" ? world.catalog.findMarketById(key) : world.catalog.findMarketBySlug(key);
  if (market === null || !isCreated(market, world.nowMs())) throw new Refusal(404, "id not found");
  return ok(presentMarket(world, market, { tags: query.flag("include_tag", false), event: true }));
}

function handleEvent(world: ProviderWorld, event: MarketEvent | null): ProviderResponse {
  if (event === null || !isCreated(event, world.nowMs())) throw new Refusal(404, "id not found");
  return ok(presentEvent(world, event, { markets: true }));
}

function handleTags({ world, query }: ProviderRequest): ProviderResponse {
  const offset = query.number("offset", 0, 0, Number.MAX_SAFE_INTEGER);
  const limit = Math.min(query.number("limit", 20, 1, Number.MAX_SAFE_INTEGER), 100);
  return ok(world.listTags().slice(offset, offset + limit));
}

function handleTeams({ world, query }: ProviderRequest): ProviderResponse {
  const offset = query.number("offset", 0, 0, Number.MAX_SAFE_INTEGER);
  const limit = Math.min(query.number("limit", 20, 1, Number.MAX_SAFE_INTEGER), 100);
  const league = query.text("league");
  const teams = world.listTeams().filter((team) => league === null || team["league"] === league);
  return ok(teams.slice(offset, offset + limit));
}

function handleSearch({ world, query }: ProviderRequest): ProviderResponse {
  const text = query.text("q")?.toLowerCase();
  if (text === undefined) throw new Refusal(422, "q is required", "q");
  const most = query.number("limit_per_type", 10, 1, 100);
  const page = query.number("page", 1, 1, 1e6);
  const now = world.nowMs();
  const keepClosed = query.text("keep_closed_markets") === "1" || query.text("events_status") !== "active";
  const events = world.catalog.events.filter(
    (event) =>
      isCreated(event, now) &&
      (keepClosed || !isClosed(event, now)) &&
      (event.title.toLowerCase().includes(text) ||
        event.markets.some((market) => market.question.toLowerCase().includes(text))),
  );
  const shown = events.slice((page - 1) * most, page * most);
  return ok({
    events: shown.map((event) => presentEvent(world, event, { markets: true })),
    tags: [],
    profiles: [],
    pagination: { hasMore: page * most < events.length, totalResults: events.length },
  });
}

function handleProfile({ world, query }: ProviderRequest): ProviderResponse {
  const profile = world.findProfile(query.text("address")?.toLowerCase() ?? "");
  if (profile === null) throw new Refusal(404, "profile not found");
  return ok({
    createdAt: profile.createdAtMs === null ? undefined : new Date(profile.createdAtMs).toISOString(),
    proxyWallet: profile.address,
    name: profile.name,
    pseudonym: profile.pseudonym,
    bio: profile.bio,
    profileImage: profile.profileImage,
    displayUsernamePublic: profile.name !== "",
    verifiedBadge: false,
    users: [],
  });
}
