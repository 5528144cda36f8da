import type { BoardRow } from "../../provider-world.ts";
import { userOf } from "./data-scope.ts";
import { refuseOffset } from "./data-trades.ts";
import { offsetPage } from "../offset-page.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Route } from "../request.ts";

export const walletRoutes: readonly Route[] = [
  { service: "data", method: "GET", pattern: /^\/v2\/leaderboard$/, handle: handleLeaderboard },
  { service: "data", method: "GET", pattern: /^\/v2\/user-stats$/, handle: handleUserStats },
  { service: "data", method: "GET", pattern: /^\/v2\/status$/, handle: handleStatus },
];

function handleLeaderboard(request: ProviderRequest): ProviderResponse {
  refuseOffset(request);
  const { query, world } = request;
  const period = query.choice("time_period", ["day", "week", "month", "all"], "day");
  const byVolume = query.choice("sort_by", ["PNL", "VOLUME"], "PNL") === "VOLUME";
  const rows = world.listBoard(period, query.text("category")?.toLowerCase() ?? "overall");
  const user = userOf(query);
  if (user !== null) return ok({ data: presentStanding(rows, user) });
  const sorted = [...rows].sort((a, b) => (byVolume ? b.volume - a.volume : b.pnl - a.pnl));
  const value = (row: BoardRow) => (byVolume ? row.volume : row.pnl);
  return ok(
    offsetPage(request, "leaderboard", sorted, query.number("limit", 100, 1, 1000), (row) => ({
      rank: 1 + sorted.findIndex((other) => value(other) === value(row)),
      user_id: row.wallet.address,
      pnl: row.pnl,
      volume: row.volume,
      user_name: row.wallet.name,
      profile_image: row.wallet.profileImage,
      x_username: "",
      verified: false,
    })),
  );
}

function presentStanding(rows: readonly BoardRow[], user: string): Record<string, unknown> | null {
  const own = rows.find((row) => row.wallet.address === user);
  if (own === undefined) return null;
  return {
    user_id: user,
    pnl: own.pnl,
    volume: own.volume,
    rank_pnl: 1 + rows.filter((row) => row.pnl > own.pnl).length,
    rank_volume: 1 + rows.filter((row) => row.volume > own.volume).length,
    user_name: own.wallet.name,
  };
}

function handleUserStats({ query, world }: ProviderRequest): ProviderResponse {
  const user = userOf(query);
  if (user === null) throw new Refusal(400, "user is required", "user");
  const profile = world.findProfile(user);
  if (profile === null) return ok({ data: null });
  const horizon = world.feedHorizon();
  const trades = world.activity.ofWallet(user).filter((row) => row.type === "TRADE" && row.timestamp <= horizon);
  const wins = world.listPositions(user).map((position) => position.realizedPnl);
  return ok({
    data: {
      // The provider names the field trades but counts distinct markets.
      trades: new Set(trades.map((row) => row.market?.conditionId)).size,
      biggest_win: wins.length === 0 ? null : Math.max(...wins),
      views: null,
      join_date: profile.createdAtMs === null ? null : Math.floor(profile.createdAtMs / 1000),
      all_time_pnl: null,
    },
  });
}

function handleStatus({ world }: ProviderRequest): ProviderResponse {
  const lag = Number.isFinite(world.feedHorizon())
    ? Math.max(0, Math.floor(world.nowMs() / 1000) - world.feedHorizon())
    : 0;
  return ok({
    data: {
      computed_at: new Date(world.nowMs()).toISOString().replace(/\.\d+Z$/, "Z"),
      age_seconds: 0,
      serving: { lag_seconds: lag, worst: "activity_feed", mechanisms: [{ name: "activity_feed", age_seconds: lag }] },
      // Not a field of the provider: states in every response where the data comes from.
      source: world.describe(),
    },
  });
}
