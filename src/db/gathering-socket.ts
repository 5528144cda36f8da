/**
 * A WebSocket that sends what is written in one go as one frame. The driver writes a statement in five messages, and gathers them with a timer
 * of its own, which costs every statement of a session more than a millisecond.
 */
export class GatheringSocket extends WebSocket {
  #written: Uint8Array[] = [];

  override send(message: Parameters<WebSocket["send"]>[0]): void {
    if (!(message instanceof Uint8Array)) return super.send(message);
    this.#written.push(message);
    if (this.#written.length === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const written = this.#written;
    this.#written = [];
    // Closed in between: the driver hears of it by the close event, and what is lost was not committed.
    if (this.readyState === WebSocket.OPEN) super.send(concatenate(written));
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
