import type { Operation } from "../../api/operation.ts";
import { listLeaderboard } from "./list-leaderboard.ts";
import { listTrendingWallets } from "./list-trending-wallets.ts";

export const LEADERBOARD_OPERATIONS: readonly Operation[] = [listLeaderboard, listTrendingWallets];
