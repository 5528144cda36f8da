/** The value or the error of a step, so that its failure can be handled later. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

export function toResult<T>(step: () => T): Result<T> {
  try {
    return { ok: true, value: step() };
  } catch (error) {
    return { ok: false, error };
  }
}

export async function toResultAsync<T>(step: Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await step };
  } catch (error) {
    return { ok: false, error };
  }
}

/** @throws what the step threw */
export function unwrap<T>(attempted: Result<T>): T {
  if (attempted.ok) return attempted.value;
  throw attempted.error;
}
