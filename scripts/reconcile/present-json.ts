import { formatMicro } from "../../src/domain/money.ts";
import type { ComparedPosition } from "./compared-position.ts";
import type { Reconciliation } from "./reconcile-recording.ts";

/** The reconciliation as JSON text. Money and shares are decimal strings with six decimals. */
export function presentJson(result: Reconciliation): string {
  const { summary } = result;
  return JSON.stringify(
    {
      passed: result.failures.length === 0,
      failures: result.failures,
      summary: {
        positions: summary.positions,
        by_reason: summary.byReason,
        complete: summary.complete,
        within_cent_share: summary.withinCentShare,
        explained_share: summary.explainedShare,
        replayed_share: summary.replayedShare,
        unrounded: summary.unrounded,
        unrounded_within_cent_share: summary.unroundedWithinCentShare,
        median_relative_error: summary.medianRelativeError,
        p95_relative_error: summary.p95RelativeError,
        read_rows: summary.readRows,
        unreadable_rows: summary.unreadableRows,
      },
      positions: result.positions.map(presentPosition),
      totals: result.totals.map(({ wallet, figure, file, usd, why, rows }) => ({
        wallet,
        figure,
        file,
        rows,
        ours: null,
        theirs: usd,
        reason: "not comparable",
        why,
      })),
      without_provider_figure: result.unmatched.map(({ wallet, tokenId, movements, realizedMicro }) => ({
        wallet,
        token_id: tokenId,
        movements,
        ours_realized: formatMicro(realizedMicro),
        theirs: null,
        reason: "not comparable",
      })),
      definitions: result.definitions,
      files: result.files,
      refused_trades: result.refusedTrades,
    },
    null,
    1,
  );
}

const presentPosition = ({ position, history, figures, reason, why }: ComparedPosition) => ({
  wallet: position.wallet,
  token_id: position.tokenId,
  condition_id: position.conditionId,
  title: position.title,
  status: position.status,
  file: position.file,
  reason,
  why,
  history: {
    movements: history.movements,
    complete: history.isComplete,
    bought: formatMicro(history.boughtMicro),
    their_bought: formatMicro(history.theirBoughtMicro),
    held: formatMicro(history.openSharesMicro),
    their_held: formatMicro(history.theirOpenSharesMicro),
  },
  figures: figures.map((figure) => ({
    name: figure.name,
    ours: formatMicro(figure.oursMicro),
    theirs: formatMicro(figure.theirsMicro),
    difference: formatMicro(figure.differenceMicro),
    allowed: formatMicro(figure.allowedMicro),
    left_after_provider_arithmetic: formatMicro(figure.unexplainedMicro),
  })),
});
