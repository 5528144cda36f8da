import type { Operation } from "../../api/operation.ts";
import { getTrader } from "./get-trader.ts";

export const TRADER_OPERATIONS: readonly Operation[] = [getTrader];
