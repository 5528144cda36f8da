/**
 * A WebSocket that coalesces all messages written in one synchronous run into one frame. The driver writes a
 * statement in five messages; its own coalescing waits for a timer, which costs more than a millisecond per
 * statement.
 */
export class CoalescingSocket extends WebSocket {
  #pending: Uint8Array[] = [];

  override send(message: Parameters<WebSocket["send"]>[0]): void {
    if (!(message instanceof Uint8Array)) return super.send(message);
    this.#pending.push(message);
    if (this.#pending.length === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const messages = this.#pending;
    this.#pending = [];
    // If the socket has closed, the driver gets the close event. The discarded messages belong to an
    // uncommitted transaction.
    if (this.readyState === WebSocket.OPEN) super.send(concatenate(messages));
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
