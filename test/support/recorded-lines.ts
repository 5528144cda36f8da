import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The recorded data set that may lie beside the repository. */
export const RECORDED = new URL("../../../shared/data/", import.meta.url).pathname;

export const hasRecorded = existsSync(RECORDED);

/** One wallet's activity as its file has it: 3,085 buys and sells and two merges. */
export const ONE_WALLET = "trades/gabagool22.data-api-activity.ndjson.gz";

/** The rows of one recorded file, straight from its lines. */
export const readLines = (name: string): any[] =>
  gunzipSync(readFileSync(RECORDED + name))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

export const micro = (shares: number): number => Math.round(shares * 1e6);
