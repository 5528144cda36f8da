/** What came of a step whose failure is judged later. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

export function attempt<T>(step: () => T): Attempt<T> {
  try {
    return { ok: true, value: step() };
  } catch (error) {
    return { ok: false, error };
  }
}

export async function attemptLater<T>(step: Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await step };
  } catch (error) {
    return { ok: false, error };
  }
}

/** @throws what the step threw */
export function valueOf<T>(attempted: Attempt<T>): T {
  if (attempted.ok) return attempted.value;
  throw attempted.error;
}
