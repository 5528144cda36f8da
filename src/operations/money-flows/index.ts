import { defineAlias, type Operation } from "../../api/operation.ts";
import { OLD_SPELLING } from "../old-spelling.ts";
import { listSharpMoneyFlows } from "./list-sharp-money-flows.ts";

export const MONEY_FLOW_OPERATIONS: readonly Operation[] = [
  listSharpMoneyFlows,
  defineAlias(listSharpMoneyFlows, {
    ...OLD_SPELLING,
    id: "listSmartMoneyFlows",
    path: "/api/v1/markets/smart-money-flows",
    mcpTool: "get_smart_money_flows",
  }),
];
