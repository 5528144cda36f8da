import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";

/** An in-memory stand-in for a queue between producer and consumer; its messages end with the process. */
export interface QueueEndpoint {
  readonly port: number;
  /** The number of messages not yet consumed. */
  readonly waiting: () => number;
  /** Drops all waiting messages, like a queue that is killed without its disk. */
  drop(): void;
  stop(): Promise<void>;
}

export interface QueuedMessage {
  readonly id: string;
  readonly body: unknown;
  readonly attempts: number;
}

/** Consumes a batch. @returns delays in seconds of messages to retry, by id. @throws to retry all of them */
export type Consume = (messages: readonly QueuedMessage[]) => Promise<Readonly<Record<string, number>>>;

/** The request body of workerd for `sendBatch`; for `send` the body is posted unchanged. */
const Batch = z.object({ messages: z.array(z.object({ body: z.base64(), delaySecs: z.number().optional() })) });

const MOST_AT_ONCE = 100;
const RETRY_SECONDS = 1;

/**
 * Receives messages by workerd's queue protocol, JSON bodies only, and delivers each until it is consumed.
 */
export async function startQueueEndpoint(consume: Consume): Promise<QueueEndpoint> {
  let waiting: QueuedMessage[] = [];
  let count = 0;
  let isConsuming = false;
  const timers = new Set<NodeJS.Timeout>();

  const schedule = (message: QueuedMessage, delaySeconds: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      waiting.push(message);
      void consumeAll();
    }, delaySeconds * 1000);
    timers.add(timer);
  };
  const consumeAll = async () => {
    if (isConsuming) return;
    isConsuming = true;
    while (waiting.length > 0) {
      const messages = waiting.splice(0, MOST_AT_ONCE);
      const retries = await consume(messages).catch(() =>
        Object.fromEntries(messages.map(({ id }) => [id, RETRY_SECONDS])),
      );
      for (const message of messages) {
        const delaySeconds = retries[message.id];
        if (delaySeconds !== undefined) schedule({ ...message, attempts: message.attempts + 1 }, delaySeconds);
      }
    }
    isConsuming = false;
  };

  const server = createServer((request, response) => {
    void readMessages(request).then(
      (messages) => {
        for (const { body, delaySeconds } of messages)
          schedule({ id: String(++count), body, attempts: 1 }, delaySeconds);
        response.end(JSON.stringify({ metadata: { metrics: { backlogCount: waiting.length, backlogBytes: 0 } } }));
      },
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const forget = () => {
    waiting = [];
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    waiting: () => waiting.length + timers.size,
    drop: forget,
    async stop() {
      forget();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readMessages(request: IncomingMessage): Promise<{ body: unknown; delaySeconds: number }[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (request.url?.endsWith("/batch")) {
    const { messages } = Batch.parse(JSON.parse(text));
    return messages.map(({ body, delaySecs = 0 }) => ({
      body: JSON.parse(Buffer.from(body, "base64").toString()),
      delaySeconds: delaySecs,
    }));
  }
  return [{ body: JSON.parse(text), delaySeconds: Number(request.headers["x-msg-delay-secs"] ?? 0) }];
}
