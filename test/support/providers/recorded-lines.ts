import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { sharedPath } from "./shared-path.ts";

/** The recorded data set, which may be absent. */
export const RECORDED = sharedPath("data/");

export const hasRecorded = existsSync(RECORDED);

/** One trader's recorded activity: 3,085 buys and sells and two merges. */
export const ONE_TRADER_ACTIVITY = "trades/gabagool22.data-api-activity.ndjson.gz";

/** The rows of one recorded file, parsed line by line. */
export const readLines = (name: string): any[] =>
  gunzipSync(readFileSync(RECORDED + name))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

export const micro = (shares: number): number => Math.round(shares * 1e6);
