import type { BenchServices } from "../bench-services.ts";
import type { Bundle } from "../bundles.ts";
import { measureDistance, type DistantRead, type ReadKind } from "./measure-distance.ts";

/** Round trips to Redis and Postgres in us-east-1, ms. */
const PLACES = [
  ["Virginia", 1],
  ["Frankfurt", 90],
  ["Tokyo", 160],
] as const;

/** Hops that a read should wait for. A cached read should also take at most 8 ms more than the bare route. */
const AIMS: Readonly<Record<ReadKind, number>> = { public: 0, cached: 1, uncached: 2, list: 2, batch: 2 };
const CACHED_MS = 8;

/** Prints the times and hops of reads from three places beside their aims. */
export async function benchDistance(product: Bundle, services: BenchServices, isSmall: boolean): Promise<void> {
  const roundTrips = PLACES.map(([, ms]) => ms);
  const figures = await measureDistance(product, services, roundTrips, isSmall ? 5 : 40);
  for (const [index, { bareMs, reads }] of figures.entries()) {
    const [place, ms] = PLACES[index] ?? ["", 0];
    console.log(`${place}, ${ms} ms to Redis and Postgres, 2 ms to the meter; bare route p50 ${bareMs.toFixed(1)} ms`);
    for (const read of reads) console.log(`  ${presentRead(read, bareMs)}`);
  }
}

function presentRead({ kind, p50Ms, p99Ms, hops }: DistantRead, bareMs: number): string {
  const { redis, meter, postgres } = hops;
  const above = `p50 ${p50Ms.toFixed(1)} ms (${(p50Ms - bareMs).toFixed(1)} more than bare), p99 ${p99Ms.toFixed(1)} ms`;
  const counted = `${redis + meter + postgres} hops (Redis ${redis}, meter ${meter}, Postgres ${postgres})`;
  const aim = kind === "cached" ? `${AIMS[kind]}, ${CACHED_MS} ms more than bare` : String(AIMS[kind]);
  return `${kind}: ${above}, ${counted}; aim ${aim}`;
}
