/** The queues of wrangler.toml, without their environment. Each has one of dead letters. */
export const QUEUES = ["ingest", "traders", "figures", "webhooks", "exports"] as const;

const QUEUE_NAME = new RegExp(`^(?:.+-)?(${QUEUES.join("|")})(-dead)?$`);

export interface QueueName {
  readonly queue: (typeof QUEUES)[number];
  /** Whether it is the queue of the other's dead letters. */
  readonly isDead: boolean;
}

/** Parses the name of a queue in wrangler.toml, which may begin with its environment; null for another queue. */
export function parseQueueName(name: string): QueueName | null {
  const [, queue, dead] = QUEUE_NAME.exec(name) ?? [];
  return queue === undefined ? null : { queue: queue as QueueName["queue"], isDead: dead !== undefined };
}
