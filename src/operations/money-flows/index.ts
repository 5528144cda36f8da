import { defineAlias, type Operation } from "../../api/operation.ts";
import { DEPRECATION } from "../deprecation.ts";
import { listSharpMoneyFlows } from "./list-sharp-money-flows.ts";

export const MONEY_FLOW_OPERATIONS: readonly Operation[] = [
  listSharpMoneyFlows,
  defineAlias(listSharpMoneyFlows, {
    ...DEPRECATION,
    id: "listSmartMoneyFlows",
    path: "/api/v1/markets/smart-money-flows",
    mcpTool: "get_smart_money_flows",
  }),
];
