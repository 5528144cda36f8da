import type { Operation } from "../../api/operation.ts";
import { getGame } from "./get-game.ts";
import { listGames } from "./list-games.ts";

export const GAME_OPERATIONS: readonly Operation[] = [listGames, getGame];
