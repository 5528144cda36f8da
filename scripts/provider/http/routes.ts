import { clobRoutes } from "./clob.ts";
import { comboRoutes } from "./data-combos.ts";
import { marketFigureRoutes } from "./data-markets.ts";
import { positionRoutes } from "./data-positions.ts";
import { tradeRoutes } from "./data-trades.ts";
import { walletRoutes } from "./data-wallets.ts";
import { gammaListRoutes } from "./gamma-lists.ts";
import { gammaSingleRoutes } from "./gamma-singles.ts";
import type { Route } from "./request.ts";

export const ROUTES: readonly Route[] = [
  ...tradeRoutes,
  ...positionRoutes,
  ...comboRoutes,
  ...walletRoutes,
  ...marketFigureRoutes,
  ...gammaListRoutes,
  ...gammaSingleRoutes,
  ...clobRoutes,
];
