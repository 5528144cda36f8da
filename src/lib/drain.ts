/**
 * Runs `work` on every item that `take` returns, at most `limit` at a time, until it returns null. After an
 * error no further item is taken.
 *
 * @throws the first error of `work`, after the work that was in progress has ended
 */
export async function drain<Item>(
  limit: number,
  take: () => Item | null,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let failed = false;
  const runWorker = async () => {
    for (let item = take(); item !== null; item = failed ? null : take()) {
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: limit }, runWorker));
  const failure = workers.find((worker) => worker.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
