import { formatMicro } from "../../src/domain/money.ts";
import type { Difference, FillLog, LedgerFill } from "../../src/ingest/chain/compare-fills.ts";
import type { RecordableFill, UnrecordedFill, UnrecordedReason } from "../../src/ingest/chain/record-fills.ts";
import type { ChainFill } from "../../src/platform/chain.ts";
import type { Verification } from "./verify-feed.ts";

const count = (n: number) => n.toLocaleString("en-US");
const time = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

/** One line for one difference. */
export function presentDifference(difference: Difference): string {
  if (difference.kind === "missing_in_ledger") {
    const { chain } = difference;
    return `missing in the ledger: ${presentFill(chain, chain.trader)}, ${presentPlace(chain)}`;
  }
  if (difference.kind === "missing_on_chain") {
    const { ledger } = difference;
    return `missing on the chain: ${presentFill(ledger, ledger.address)}, entry ${ledger.entryId}`;
  }
  const { kind, chain, ledger } = difference;
  const [onChain, inLedger] = [chain, ledger].map((fill) => presentField(kind, fill));
  return `${kind}: ${onChain} on the chain, ${inLedger} in entry ${ledger.entryId}: ${presentFill(chain, chain.trader)}, ${presentPlace(chain)}`;
}

const UNRECORDED: Readonly<Record<UnrecordedReason, string>> = {
  unknown_market: "the market of its token is not known",
  no_price: "its price is not from 0 to 1",
  differing_transaction: "the ledger has other fills of its transaction",
};

/** One line for a fill that the ledger lacks and that was not recorded. */
export const presentUnrecorded = ({ fill, reason }: UnrecordedFill): string =>
  `not recorded (${UNRECORDED[reason]}): ${presentFill(fill, fill.trader)}, ${presentPlace(fill)}`;

const presentPlace = ({ blockNumber, logIndex }: Pick<FillLog, "blockNumber" | "logIndex">) =>
  `block ${blockNumber}, log ${logIndex}`;

const presentFill = (fill: RecordableFill | LedgerFill, trader: string) =>
  `${trader} ${fill.side} ${formatMicro(fill.sharesMicro)} of ${fill.tokenId} for $${formatMicro(fill.usdMicro)}, ${fill.txHash}`;

function presentField(kind: "shares" | "usd" | "fee" | "role" | "time" | "log", fill: ChainFill | LedgerFill): string {
  switch (kind) {
    case "shares":
      return formatMicro(fill.sharesMicro);
    case "usd":
      return formatMicro(fill.usdMicro);
    case "fee":
      return fill.feeMicro === null ? "unknown" : formatMicro(fill.feeMicro);
    case "role":
      return fill.isTaker ? "taker" : "not taker";
    case "time":
      return time(fill.tradedAtMs);
    case "log":
      return presentLog("log" in fill ? fill.log : fill);
  }
}

const presentLog = (log: FillLog | null): string =>
  log === null
    ? "unknown"
    : `${presentPlace(log)} (OrdersMatched ${log.ordersMatched === null ? "unknown" : `${log.ordersMatched.logIndex} of ${log.ordersMatched.exchange}`})`;

/** The counts of a verification, one line each. */
export function presentVerification(verification: Verification): string[] {
  const { blocks, chainFills, ledgerFills, knownLogs, recorded, unrecorded, differences, unreadable } = verification;
  const kinds = {
    missing_in_ledger: "missing in the ledger",
    missing_on_chain: "missing on the chain",
    shares: "differing shares",
    usd: "differing dollars",
    fee: "differing fees",
    role: "differing roles",
    time: "differing times",
    log: "differing log indexes",
  };
  return [
    `${count(blocks)} blocks, ${time(verification.firstSecond * 1000)} to ${time(verification.lastSecond * 1000)}`,
    `${count(chainFills)} fills on the chain, ${count(ledgerFills)} in the ledger`,
    `with a log index in the ledger: ${count(knownLogs)}`,
    ...(recorded === 0 ? [] : [`recorded: ${count(recorded)}`]),
    ...Object.entries(unrecorded).map(
      ([reason, fills]) => `not recorded, because ${UNRECORDED[reason as UnrecordedReason]}: ${count(fills)}`,
    ),
    ...Object.entries(kinds).map(([kind, name]) => `${name}: ${count(differences[kind as keyof typeof kinds] ?? 0)}`),
    `unreadable logs: ${count(unreadable)}`,
  ];
}
