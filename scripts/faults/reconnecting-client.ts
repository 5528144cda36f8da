import { request, type ClientRequest } from "node:http";
import { START_OF_STREAM, scanFrames } from "../bench/stream/scan-frames.ts";

const RETRY_MS = 1_000;

/**
 * A client of the stream that reconnects as EventSource does, waits as long as a refusal asks, and checks that each frame continues
 * the one before.
 */
export class ReconnectingClient {
  readonly faults: string[] = [];
  /** When each connection after the first one was attempted, Unix milliseconds. */
  readonly reconnectTimes: number[] = [];
  firstId: number | null = null;
  lastId: number | null = null;
  isOpen = false;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #retryMs = RETRY_MS;
  #request: ClientRequest | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  /** Resolves when the first response has begun. @throws when it is not a stream */
  open(): Promise<void> {
    return new Promise((resolve, reject) => this.#connect(resolve, reject));
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #connect(onOpen: () => void = () => undefined, onRefused: (error: Error) => void = () => undefined): void {
    const resume = this.lastId === null ? {} : { "last-event-id": String(this.lastId) };
    let [isOver, waitMs] = [false, 0];
    const over = () => {
      if (isOver || this.#isStopped) return;
      isOver = true;
      this.isOpen = false;
      const reconnect = () => {
        this.reconnectTimes.push(Date.now());
        this.#connect();
      };
      this.#timer = setTimeout(reconnect, Math.max(waitMs, this.#retryMs));
    };
    this.#request = request(this.#url, { headers: { ...this.#headers, ...resume }, agent: false }, (response) => {
      this.isOpen = response.statusCode === 200;
      if (this.isOpen) onOpen();
      waitMs = 1_000 * Number(response.headers["retry-after"] ?? 0);
      if (!this.isOpen)
        response.once("data", (body) =>
          onRefused(new Error(`the stream responded with ${response.statusCode}: ${body}`)),
        );
      let rest = START_OF_STREAM;
      response.on("data", (chunk: Buffer) => {
        const retry = /^retry: (\d+)$/m.exec(chunk.toString("latin1", 0, 40))?.[1];
        if (retry !== undefined) this.#retryMs = Number(retry);
        rest = scanFrames(rest, chunk, (id) => this.#receive(id));
      });
      response.once("error", over);
      response.once("close", over);
    });
    this.#request.once("error", over);
    this.#request.end();
  }

  #receive(id: number): void {
    this.firstId ??= id;
    if (this.lastId !== null && id !== this.lastId + 1) this.faults.push(`frame ${id} came after frame ${this.lastId}`);
    this.lastId = id;
  }
}
