import type { Operation } from "../../api/operation.ts";
import { getCombo } from "./get-combo.ts";
import { getCombosSummary } from "./get-combos-summary.ts";
import { listComboFills } from "./list-combo-fills.ts";

export const COMBO_OPERATIONS: readonly Operation[] = [listComboFills, getCombosSummary, getCombo];
