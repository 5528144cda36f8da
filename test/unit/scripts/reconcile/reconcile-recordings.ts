import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** Hand-written recordings in the shapes of real ones. By default each row buys one share. */

export const WALLET = `0x${"a".repeat(40)}`;
export const MARKET = `0x${"c".repeat(64)}`;
export const YES = "111";
export const NO = "222";

const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

/** Writes the files into a directory that is removed when the test ends. */
export async function aRecording(files: Record<string, readonly unknown[] | object>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), "reconcile-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(dir, name);
    await mkdir(path.dirname(file), { recursive: true });
    const isLines = name.endsWith(".ndjson") && Array.isArray(content);
    await writeFile(file, isLines ? content.map((row) => JSON.stringify(row)).join("\n") : JSON.stringify(content));
  }
  return dir;
}

let lastTransaction = 0;

export function aTrade(fields: Record<string, unknown> = {}): Record<string, unknown> {
  lastTransaction += 1;
  return {
    proxyWallet: WALLET,
    side: "BUY",
    asset: YES,
    conditionId: MARKET,
    outcomeIndex: fields["asset"] === NO ? 1 : 0,
    size: 1,
    price: 0.4,
    timestamp: 1_760_000_000 + lastTransaction,
    transactionHash: hash(lastTransaction),
    title: "Will it rain?",
    eventSlug: "rain",
    ...fields,
  };
}

export function anActivity(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const trade = aTrade(fields);
  return { type: "TRADE", usdcSize: Number(trade["size"]) * Number(trade["price"]), ...trade };
}

/** A split, merge, redemption or similar, of one share. */
export const aFlow = (type: string, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...aTrade({ asset: "", side: "", outcomeIndex: 999, price: 0 }),
  type,
  usdcSize: 1,
  ...fields,
});

export const aClosedPosition = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  proxyWallet: WALLET,
  asset: YES,
  oppositeAsset: NO,
  conditionId: MARKET,
  outcomeIndex: 0,
  avgPrice: 0.4,
  totalBought: 10,
  realizedPnl: 6,
  curPrice: 1,
  title: "Will it rain?",
  eventSlug: "rain",
  timestamp: 1_760_100_000,
  ...fields,
});

export const anOpenPosition = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...aClosedPosition({ realizedPnl: 0, curPrice: 0.7 }),
  size: 10,
  initialValue: 4,
  currentValue: 7,
  cashPnl: 3,
  percentPnl: 75,
  percentRealizedPnl: 75,
  ...fields,
});
