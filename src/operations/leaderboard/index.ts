import type { Operation } from "../../api/operation.ts";
import { listLeaderboard } from "./list-leaderboard.ts";
import { listTrendingTraders } from "./list-trending-traders.ts";

export const LEADERBOARD_OPERATIONS: readonly Operation[] = [listLeaderboard, listTrendingTraders];
