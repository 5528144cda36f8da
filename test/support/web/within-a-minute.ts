/** Waits, if necessary, until this many seconds are left of the minute in which budgets are counted. */
export async function withinAMinute(seconds: number): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}
