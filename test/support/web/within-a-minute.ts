/** Waits, if need be, until so many seconds are left of the minute that budgets are counted in. */
export async function withinAMinute(seconds: number): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < seconds * 1000) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}
