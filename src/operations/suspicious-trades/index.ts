import { defineAlias, type Operation } from "../../api/operation.ts";
import { DEPRECATION } from "../deprecation.ts";
import { getSuspiciousTrade } from "./get-suspicious-trade.ts";
import { listSuspiciousTrades } from "./list-suspicious-trades.ts";

export const SUSPICIOUS_TRADE_OPERATIONS: readonly Operation[] = [
  listSuspiciousTrades,
  getSuspiciousTrade,
  defineAlias(listSuspiciousTrades, {
    ...DEPRECATION,
    id: "listInsiderRadar",
    path: "/api/v1/insider-radar",
    mcpTool: "get_insider_radar",
  }),
  defineAlias(getSuspiciousTrade, {
    ...DEPRECATION,
    id: "getInsiderRadarFlag",
    path: "/api/v1/insider-radar/{id}",
    mcpTool: "get_insider_radar_flag",
    object: "radar_flag",
  }),
];
