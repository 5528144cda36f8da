import {
  ProviderRefused,
  ProviderUnavailable,
  type Page,
  type Provider,
  type ProviderBook,
  type ProviderResolution,
} from "../../ports/provider.ts";

/** The most conditions of one call. */
const CONDITIONS_A_CALL = 20;
/** The feeds wait for this job: what has not come by then is asked for again later. */
const DEADLINE_MS = 5_000;

export interface Answered<Row> {
  readonly asked: readonly string[];
  readonly page: Page<Row>;
}

export interface ReadResults {
  readonly answered: readonly Answered<ProviderResolution>[];
  readonly unanswered: readonly string[];
  /** Why; null when all was answered. */
  readonly failure: unknown;
}

/** Reads the results of all these conditions at once. */
export async function readResults(provider: Provider, conditionIds: readonly string[]): Promise<ReadResults> {
  const groups: (readonly string[])[] = [];
  for (let at = 0; at < conditionIds.length; at += CONDITIONS_A_CALL) groups.push(conditionIds.slice(at, at + CONDITIONS_A_CALL));
  const reads = await Promise.allSettled(groups.map((group) => withinDeadline(readGroup(provider, group))));
  const answered: Answered<ProviderResolution>[] = [];
  const unanswered: string[] = [];
  let failure: unknown = null;
  for (const [index, read] of reads.entries()) {
    if (read.status === "fulfilled") answered.push(...read.value);
    else {
      unanswered.push(...(groups[index] ?? []));
      failure ??= read.reason;
    }
  }
  return { answered, unanswered, failure };
}

/** One id that the provider refuses must not cost the others their answer: halves are asked for until it stands alone. */
async function readGroup(provider: Provider, asked: readonly string[]): Promise<Answered<ProviderResolution>[]> {
  try {
    return [{ asked, page: await provider.findResolutions(asked) }];
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    if (asked.length === 1) {
      const misfit = { record: { condition_ids: asked }, reason: `the provider refuses to tell its result: ${error.message}` };
      return [{ asked, page: { rows: [], nextCursor: null, misfits: [misfit] } }];
    }
    const half = Math.ceil(asked.length / 2);
    const halves = await Promise.all([readGroup(provider, asked.slice(0, half)), readGroup(provider, asked.slice(half))]);
    return halves.flat();
  }
}

/** The books of markets that have ended; null when they could not be read. They are asked for again with the next check. */
export async function readEndedBooks(provider: Provider, tokenIds: readonly string[]): Promise<Answered<ProviderBook> | null> {
  if (tokenIds.length === 0) return null;
  try {
    return { asked: tokenIds, page: await withinDeadline(provider.findBooks(tokenIds)) };
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) return null;
    throw error;
  }
}

async function withinDeadline<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderUnavailable(`no answer within ${DEADLINE_MS} ms`, null)), DEADLINE_MS);
  });
  try {
    return await Promise.race([read, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
