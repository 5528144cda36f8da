import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import type { Clock } from "../../../../src/lib/timing/clock.ts";
import {
  startProviderEndpoint,
  type Fault,
  type ProviderEndpoint,
  type ProviderSource,
} from "../../../../scripts/provider/index.ts";

/** Builders of small recordings and of endpoints over them. */

export const WALLET = "0x00000000000000000000000000000000000000a1";
export const OTHER_WALLET = "0x00000000000000000000000000000000000000b2";
export const CONDITION = `0x${"c1".repeat(32)}`;
export const OTHER_CONDITION = `0x${"c2".repeat(32)}`;

const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;

/** A row of a v1 trades response. Higher numbers are newer. */
export function aV1Trade(number: number, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    proxyWallet: WALLET,
    side: "BUY",
    asset: "111",
    conditionId: CONDITION,
    size: 10,
    price: 0.5,
    timestamp: 1_760_000_000 + number,
    title: "Will it rain?",
    slug: "will-it-rain",
    icon: "",
    eventSlug: "rain",
    outcome: "Yes",
    outcomeIndex: 0,
    name: "ada",
    pseudonym: "Ada",
    bio: "",
    profileImage: "",
    transactionHash: hash(number),
    ...fields,
  };
}

export const aV1Activity = (number: number, fields: Record<string, unknown> = {}): Record<string, unknown> =>
  aV1Trade(number, { type: "TRADE", usdcSize: 5, ...fields });

/** Newest first, as the provider lists them. */
export const trades = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, index) => aV1Trade(count - index));

/**
 * Writes files (`.ndjson` lines or `.json`, gzipped with `.gz`) into a directory that is removed when the
 * test ends.
 */
export async function aRecording(files: Record<string, readonly unknown[]>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), "recording-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, rows] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
    const text = name.includes(".ndjson")
      ? rows.map((row) => `${JSON.stringify(row)}\n`).join("")
      : JSON.stringify(rows);
    await writeFile(path.join(dir, name), name.endsWith(".gz") ? gzipSync(text) : text);
  }
  return dir;
}

/** An endpoint that stops when the test ends. */
export async function anEndpoint(
  source: ProviderSource,
  faults: readonly Fault[] = [],
  clock?: Clock,
): Promise<ProviderEndpoint> {
  const log = { error: () => undefined };
  const endpoint = await startProviderEndpoint({ source, faults, log, ...(clock === undefined ? {} : { clock }) });
  onTestFinished(() => endpoint.stop());
  return endpoint;
}

export async function aReplay(
  files: Record<string, readonly unknown[]>,
  faults: readonly Fault[] = [],
): Promise<ProviderEndpoint> {
  return anEndpoint({ kind: "replay", dir: await aRecording(files), speed: "max" }, faults);
}

/** Status and parsed body of the response. */
export async function getJson(
  url: string,
  init?: RequestInit,
): Promise<{ status: number; body: any; headers: Headers }> {
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** All rows of a cursor walk over a Data API route. */
export async function walk(url: string): Promise<any[]> {
  const rows: any[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await getJson(cursor === "" ? url : `${url}&cursor=${encodeURIComponent(cursor)}`);
    rows.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  return rows;
}
