import { vi } from "vitest";

/** The messages that the sessions send while the work runs. */
export async function countMessages(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(WebSocket.prototype, "send");
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}
