import { formatMicro } from "../../src/domain/money.ts";
import { REASONS, type ComparedPosition } from "./compared-position.ts";
import type { Reconciliation } from "./reconcile-recording.ts";
import { isComparable, totalOf, type Summary } from "./summarize.ts";
import { MIN_EXPLAINED_SHARE } from "./thresholds.ts";

/** The maximum number of listed wallets without a provider figure, most fills first; the JSON lists all. */
const UNMATCHED_SHOWN = 10;
const TITLE_WIDTH = 44;

/** The reconciliation as text for a terminal, in dollars unless stated otherwise. */
export function printReport(result: Reconciliation): string {
  const wallets = [...Map.groupBy(result.positions, ({ position }) => position.wallet)];
  return [
    "POSITIONS  (difference = ours - theirs; left = what remains after applying the provider's own arithmetic to the same fills)",
    ...wallets.flatMap(([wallet, positions]) => [
      "",
      wallet,
      ...positions.flatMap(printPosition),
      ...printSubtotal(positions),
    ]),
    "",
    "WALLET TOTALS  (not comparable, never counted as agreement)",
    ...printTotals(result),
    "",
    "POSITIONS WITHOUT A FIGURE OF THE PROVIDER  (not comparable)",
    ...printUnmatched(result),
    "",
    "DEFINITIONS  (rows on which the formula holds)",
    ...result.definitions.map(({ formula, holds, rows }) => `  ${`${holds} of ${rows}`.padEnd(10)} ${formula}`),
    "",
    "FILES",
    ...printFiles(result),
    "",
    "SUMMARY",
    ...printSummary(result.summary),
    "",
    ...(result.failures.length === 0 ? ["PASSED"] : result.failures.map((failure) => `FAILED: ${failure}`)),
  ].join("\n");
}

function printPosition({ position, history, figures, reason, why }: ComparedPosition): string[] {
  const title = printable(position.title || position.tokenId).slice(0, TITLE_WIDTH);
  return [
    `  ${title.padEnd(TITLE_WIDTH)} ${position.status.padEnd(6)} ${String(history.movements).padStart(4)} fills  ${reason}: ${why}`,
    ...figures.map(
      (figure) =>
        `    ${figure.name.padEnd(10)} ours ${money(figure.oursMicro)}  theirs ${money(figure.theirsMicro)}` +
        `  difference ${short(figure.differenceMicro)}  allowed ${short(figure.allowedMicro)}` +
        (history.isComplete ? `  left ${short(figure.unexplainedMicro)}` : ""),
    ),
  ];
}

function printSubtotal(positions: readonly ComparedPosition[]): string[] {
  const comparable = positions.filter(isComparable);
  if (comparable.length < 2) return [];
  const sum = (of: "oursMicro" | "theirsMicro") =>
    comparable.reduce((total, position) => total + totalOf(position, of), 0n);
  const [ours, theirs] = [sum("oursMicro"), sum("theirsMicro")];
  const relative =
    theirs === 0n ? "" : `  (${((100 * Number(ours - theirs)) / Number(theirs)).toFixed(5)} % of theirs)`;
  return [
    `  sum of ${comparable.length}   ours ${money(ours)}  theirs ${money(theirs)}  difference ${short(ours - theirs)}${relative}`,
  ];
}

function printTotals({ totals }: Reconciliation): string[] {
  const kinds = Map.groupBy(totals, ({ file, figure, why }) => `${figure}, ${file}: ${why}`);
  if (kinds.size === 0) return ["  none recorded"];
  return [...kinds].map(([kind, rows]) => `  ${String(rows.length).padStart(6)} wallets  ${printable(kind)}`);
}

function printUnmatched({ unmatched }: Reconciliation): string[] {
  const wallets = [...Map.groupBy(unmatched, ({ wallet }) => wallet)]
    .map(([wallet, positions]) => ({
      wallet,
      positions: positions.length,
      movements: positions.reduce((sum, one) => sum + one.movements, 0),
    }))
    .sort((a, b) => b.movements - a.movements);
  const shown = wallets.slice(0, UNMATCHED_SHOWN);
  return [
    `  ${unmatched.length} positions of ${wallets.length} wallets`,
    ...shown.map(({ wallet, positions, movements }) => `  ${wallet}  ${positions} positions, ${movements} entries`),
    ...(wallets.length > shown.length ? [`  and ${wallets.length - shown.length} more wallets`] : []),
  ];
}

function printFiles({ files, refusedTrades }: Reconciliation): string[] {
  const known = files.filter(({ shape }) => shape !== null);
  const empty = files.filter(({ shape, rows }) => shape === null && rows === 0);
  const others = files.length - known.length - empty.length;
  return [
    ...known.map(
      ({ name, shape, rows, unreadable }) =>
        `  ${name}: ${shape}, ${rows} rows, ${unreadable.length} unreadable${firstOf(unreadable)}`,
    ),
    ...empty.map(({ name }) => `  ${name}: no rows`),
    `  ${others} files of other shapes: without token fills or wallet figures in a known shape`,
    ...(refusedTrades.length === 0
      ? []
      : [`  ${refusedTrades.length} trades refused by the product's schema${firstOf(refusedTrades)}`]),
  ];
}

const firstOf = (reasons: readonly string[]): string =>
  reasons[0] === undefined ? "" : ` (first: ${printable(reasons[0])})`;

function printSummary(summary: Summary): string[] {
  const row = (name: string, value: string | number) => `  ${name.padEnd(66)} ${value}`;
  return [
    row("positions with provider figures", summary.positions),
    ...REASONS.map((reason) => row(`  ${reason}`, summary.byReason[reason])),
    row("positions with complete history, of which", summary.complete),
    row("  within 1 cent", percent(summary.withinCentShare)),
    row(
      `  within what the provider's rounding explains (minimum ${percent(MIN_EXPLAINED_SHARE)})`,
      percent(summary.explainedShare),
    ),
    row("  reproduced to the last printed digit by the provider's own arithmetic", percent(summary.replayedShare)),
    row(
      `  within 1 cent where that arithmetic loses less than a cent (${summary.unrounded})`,
      percent(summary.unroundedWithinCentShare),
    ),
    row("  relative error, median", percent(summary.medianRelativeError)),
    row("  relative error, 95th percentile", percent(summary.p95RelativeError)),
    row("rows read", summary.readRows),
    row("rows unreadable", summary.unreadableRows),
  ];
}

const percent = (share: number | null): string =>
  share === null ? "nothing to measure" : `${Number((100 * share).toPrecision(4))} %`;

const money = (micro: bigint): string => formatMicro(micro).padStart(15);

const short = (micro: bigint): string => formatMicro(micro).padStart(11);

/** Recorded text is printed without control characters. */
const printable = (text: string): string => text.replace(/\p{C}/gu, "");
