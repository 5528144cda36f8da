import { defineAlias, type Operation } from "../../api/operation.ts";
import { OLD_SPELLING } from "../old-spelling.ts";
import { getSuspiciousTrade } from "./get-suspicious-trade.ts";
import { listSuspiciousTrades } from "./list-suspicious-trades.ts";

export const SUSPICIOUS_TRADE_OPERATIONS: readonly Operation[] = [
  listSuspiciousTrades,
  getSuspiciousTrade,
  defineAlias(listSuspiciousTrades, {
    ...OLD_SPELLING,
    id: "listInsiderRadar",
    path: "/api/v1/insider-radar",
    mcpTool: "get_insider_radar",
  }),
  defineAlias(getSuspiciousTrade, {
    ...OLD_SPELLING,
    id: "getInsiderRadarFlag",
    path: "/api/v1/insider-radar/{id}",
    mcpTool: "get_insider_radar_flag",
    object: "radar_flag",
  }),
];
