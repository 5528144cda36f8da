import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";

/** Who stands in for a queue between producer and consumer, in memory: what it holds is lost with it. */
export interface QueueEndpoint {
  readonly port: number;
  /** Messages that wait for a consumer. */
  readonly waiting: () => number;
  /** Loses everything that waits, as a queue that is killed without its disk would. */
  forget(): void;
  stop(): Promise<void>;
}

export interface QueuedMessage {
  readonly id: string;
  readonly body: unknown;
  readonly attempts: number;
}

/** Consumes a batch. @returns by id, after how many seconds a message is to come again. @throws when all of them are */
export type Consume = (messages: readonly QueuedMessage[]) => Promise<Readonly<Record<string, number>>>;

/** What workerd posts for `sendBatch`; for `send` the body is posted as it is. */
const Batch = z.object({ messages: z.array(z.object({ body: z.base64(), delaySecs: z.number().optional() })) });

const MOST_AT_ONCE = 100;
const RETRY_SECONDS = 1;

/** Takes messages by the protocol in which workerd hands a queue's messages to a service, JSON bodies only, and delivers each until it is consumed. */
export async function startQueueEndpoint(consume: Consume): Promise<QueueEndpoint> {
  let waiting: QueuedMessage[] = [];
  let count = 0;
  let isConsuming = false;
  const timers = new Set<NodeJS.Timeout>();

  const put = (message: QueuedMessage, delaySeconds: number) => {
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
      const again = await consume(messages).catch(() => Object.fromEntries(messages.map(({ id }) => [id, RETRY_SECONDS])));
      for (const message of messages) {
        const delaySeconds = again[message.id];
        if (delaySeconds !== undefined) put({ ...message, attempts: message.attempts + 1 }, delaySeconds);
      }
    }
    isConsuming = false;
  };

  const server = createServer((request, response) => {
    void readMessages(request).then(
      (messages) => {
        for (const { body, delaySeconds } of messages) put({ id: String(++count), body, attempts: 1 }, delaySeconds);
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
    forget,
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
