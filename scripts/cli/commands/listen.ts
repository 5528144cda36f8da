import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_CATALOGUE, EVENT_SPELLINGS, eventTypeOf, EVENT_TYPES } from "../../../src/events/registry.ts";
import type { StreamEvent } from "../../../src/client/index.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import {
  attemptDelivery,
  isDelivered,
  MAX_ATTEMPTS,
  parseLocalUrl,
  secretOf,
  type LocalDelivery,
} from "../local-delivery.ts";
import { openTail } from "./tail.ts";

const RETRY_SECONDS = 60;

/**
 * Posts the events of the stream to a receiver on this machine, in the form of webhooks. The deliveries are made here:
 * the product cannot reach localhost.
 */
export async function listen(context: CommandContext): Promise<void> {
  const { output, values, signal } = context;
  const url = parseLocalUrl(values["forward-to"], "--forward-to");
  const names = typeof values["events"] === "string" ? values["events"].split(",") : EVENT_TYPES;
  const unknown = names.find((name) => eventTypeOf(name) === null);
  if (unknown !== undefined) throw new UsageError(`${unknown} is no webhook event: ${EVENT_SPELLINGS.join(", ")}.`);
  const byFrame = new Map(names.map((name) => [EVENT_CATALOGUE[eventTypeOf(name) ?? "trader_synced"].frame, name]));
  const secret = secretOf(values["secret"]);
  const retrySeconds = Number(values["retry-seconds"] ?? RETRY_SECONDS);
  if (!(retrySeconds > 0)) throw new UsageError("--retry-seconds must be a number above 0.");
  const headerPrefix = typeof values["header-prefix"] === "string" ? values["header-prefix"] : "x-service";
  output.note(`Deliveries are made on this machine from the event stream, and posted to ${url}`);
  output.note(`Signing secret: ${secret}`);
  const filtered = { ...context, values: { ...values, event: [...byFrame.keys()].join(",") } };
  let deliveries = 0;
  for await (const event of openTail(filtered)) {
    const type = event.kind === "frame" ? byFrame.get(event.data.type) : undefined;
    if (event.kind === "resync") output.note("Events were lost: read the current state again.");
    if (event.kind !== "frame" || type === undefined) continue;
    const delivery = { url, secret, headerPrefix, deliveryId: String(++deliveries), event: webhookBodyOf(type, event) };
    // A receiver that fails must not hold up the next event.
    void deliver(context, delivery, retrySeconds).catch((error: unknown) => {
      if (!signal.aborted) output.error(String(error));
    });
  }
}

/** The body that a webhook has for the event of a frame. */
function webhookBodyOf(type: string, { id, data }: StreamEvent & { kind: "frame" }): LocalDelivery["event"] & object {
  const { seq: _, published_at: publishedAt, type: _frame, ...payload } = data;
  const { occurredAt } = EVENT_CATALOGUE[eventTypeOf(type) ?? "trader_synced"];
  const fields: Readonly<Record<string, unknown>> = payload;
  const time = occurredAt === undefined ? undefined : fields[occurredAt.field];
  const eventId = fields["event_id"];
  return {
    id: typeof eventId === "string" ? eventId : `evt_stream_${id}`,
    type,
    ...{ created_at: typeof time === "string" ? time : publishedAt, data: payload },
  };
}

async function deliver(
  { output, signal }: CommandContext,
  delivery: LocalDelivery,
  retrySeconds: number,
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await attemptDelivery(delivery, attempt, signal);
    const { id, type } = delivery.event;
    output.event(`${type}  ${id}  attempt ${attempt}  ${result}`, { id, type, attempt, result });
    if (isDelivered(result)) return;
    if (attempt < MAX_ATTEMPTS) await sleep(retrySeconds * 1000, undefined, { signal });
  }
  output.error(`${delivery.event.id} was given up after ${MAX_ATTEMPTS} attempts`);
}
