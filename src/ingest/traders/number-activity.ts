import { isCombination } from "../../domain/ids.ts";
import type { OtherActivity, ProviderActivity, ProviderPage, ProviderTrade } from "../../platform/provider.ts";
import { identifyTrade } from "../feeds/apply-trade-page.ts";
import { numberRows, type NumberedRow, type OrdinalCarry } from "../feeds/row-ordinals.ts";

export interface NumberedPage {
  readonly trades: readonly { readonly trade: ProviderTrade; readonly ordinal: number }[];
  readonly others: readonly NumberedRow<OtherActivity>[];
  /** For the next page of the walk. */
  readonly carry: OrdinalCarry | null;
}

/** The rows of a page with their ordinals. */
export function numberActivity(page: ProviderPage<ProviderActivity>, carry: OrdinalCarry | null): NumberedPage {
  const numbered = numberRows(page.rows.map(identifyActivity), carry);
  return {
    trades: numbered.rows.flatMap(({ row, ordinal }) => (row.kind === "trade" ? [{ trade: row.trade, ordinal }] : [])),
    others: numbered.rows.flatMap(({ row, ordinal }) => (row.kind === "other" ? [{ row: row.activity, ordinal }] : [])),
    carry: numbered.carry,
  };
}

/** Splits and merges of combos are booked from the combo activity alone, so that none counts twice. */
export const withoutCombos = (others: readonly NumberedRow<OtherActivity>[]): NumberedRow<OtherActivity>[] =>
  others.filter(({ row }) => !isCombination(row.market?.conditionId ?? ""));

function identifyActivity(row: ProviderActivity) {
  if (row.kind === "trade") return { ...row, ...identifyTrade(row.trade) };
  const { type, market, tokenId, sharesMicro, txHash } = row.activity;
  return { ...row, txHash, identity: `${type} ${market?.conditionId ?? ""} ${tokenId ?? ""} ${sharesMicro}` };
}
