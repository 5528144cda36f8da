import { chunk } from "../../../lib/chunk.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type ProviderPage,
  type Provider,
  type ProviderBook,
  type ProviderResolution,
} from "../../../platform/provider.ts";
import { withTimeout } from "../../../lib/timing/with-timeout.ts";

/** Maximum number of conditions in one call. */
const CONDITIONS_PER_CALL = 20;
/** The feeds wait for this job: results that do not arrive in time are requested again later. */
const DEADLINE_MS = 5_000;

export interface RequestedPage<Row> {
  readonly requestedIds: readonly string[];
  readonly page: ProviderPage<Row>;
}

export interface ResultBatch {
  readonly pages: readonly RequestedPage<ProviderResolution>[];
  readonly failedIds: readonly string[];
  /** The first error; null when every call succeeded. */
  readonly failure: unknown;
}

/** Reads the results of all these conditions concurrently. */
export async function readResults(provider: Provider, conditionIds: readonly string[]): Promise<ResultBatch> {
  const groups = chunk(conditionIds, CONDITIONS_PER_CALL);
  const reads = await Promise.allSettled(groups.map((group) => withinDeadline(readGroup(provider, group))));
  const answered: RequestedPage<ProviderResolution>[] = [];
  const unanswered: string[] = [];
  let failure: unknown = null;
  for (const [index, read] of reads.entries()) {
    if (read.status === "fulfilled") answered.push(...read.value);
    else {
      unanswered.push(...(groups[index] ?? []));
      failure ??= read.reason;
    }
  }
  return { pages: answered, failedIds: unanswered, failure };
}

/**
 * Reads a group. If the provider refuses one of its ids, the group is halved until that id is alone, so that
 * the others still get their result.
 */
async function readGroup(
  provider: Provider,
  conditionIds: readonly string[],
): Promise<RequestedPage<ProviderResolution>[]> {
  try {
    return [{ requestedIds: conditionIds, page: await provider.findResolutions(conditionIds) }];
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    if (conditionIds.length === 1) {
      const quarantined = {
        record: { condition_ids: conditionIds },
        reason: `the provider refuses to return its result: ${error.message}`,
      };
      return [{ requestedIds: conditionIds, page: { rows: [], nextCursor: null, quarantined: [quarantined] } }];
    }
    const half = Math.ceil(conditionIds.length / 2);
    const halves = await Promise.all([
      readGroup(provider, conditionIds.slice(0, half)),
      readGroup(provider, conditionIds.slice(half)),
    ]);
    return halves.flat();
  }
}

/** Reads the books of ended markets; null when they could not be read. The next check requests them again. */
export async function readEndedBooks(
  provider: Provider,
  tokenIds: readonly string[],
): Promise<RequestedPage<ProviderBook> | null> {
  if (tokenIds.length === 0) return null;
  try {
    return { requestedIds: tokenIds, page: await withinDeadline(provider.findBooks(tokenIds)) };
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) return null;
    throw error;
  }
}

const withinDeadline = <T>(read: Promise<T>): Promise<T> =>
  withTimeout(read, DEADLINE_MS, () => new ProviderUnavailable(`no response within ${DEADLINE_MS} ms`, null));
