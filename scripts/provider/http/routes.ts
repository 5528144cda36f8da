import { clobRoutes } from "./clob.ts";
import { comboRoutes } from "./data/data-combos.ts";
import { marketFigureRoutes } from "./data/data-markets.ts";
import { positionRoutes } from "./data/data-positions.ts";
import { tradeRoutes } from "./data/data-trades.ts";
import { walletRoutes } from "./data/data-wallets.ts";
import { gammaListRoutes } from "./gamma/gamma-lists.ts";
import { gammaSingleRoutes } from "./gamma/gamma-singles.ts";
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
