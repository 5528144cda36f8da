import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Clock } from "../../../src/lib/timing/clock.ts";
import { presentTradePayload } from "../http/data/activity-rows.ts";
import { lowerBound } from "../activity-log.ts";
import type { ActivityRecord, ProviderWorld } from "../provider-world.ts";

const PUSH_EVERY_MS = 250;
/** The most trades per push and socket, so that a fast replay does not build an endless frame queue. */
const MOST_PER_PUSH = 500;

const Subscription = z.object({ topic: z.string(), type: z.string(), filters: z.string().optional() });
const Message = z.object({ action: z.enum(["subscribe", "unsubscribe"]), subscriptions: z.array(Subscription) });
const Filters = z.object({ event_slug: z.string().optional(), market_slug: z.string().optional() });

type ActivitySubscription = { type: string; filters: z.infer<typeof Filters> };

/**
 * The live trade socket: topic `activity`, types `trades` (every row), `orders_matched` (takers' rows) and
 * `*`. No replay.
 */
export function serveTradesSocket(world: ProviderWorld, socket: WebSocket, clock: Clock): void {
  const connectionId = randomUUID();
  let subscribed: ActivitySubscription[] = [];
  let sent = world.matchHorizon();
  socket.send("");
  socket.on("message", (data) => {
    const text = data.toString();
    if (text === "PING") return void socket.send("PONG");
    const message = Message.safeParse(parseJson(text));
    if (!message.success) return;
    const { action, subscriptions } = message.data;
    if (subscriptions.some((one) => one.topic !== "activity")) {
      // One invalid topic refuses the whole array, as at the provider.
      return void socket.send(JSON.stringify({ message: "unauthorized", statusCode: 401 }));
    }
    subscribed =
      action === "unsubscribe"
        ? []
        : [...subscribed, ...subscriptions.map((one) => ({ type: one.type, filters: parseFilters(one.filters) }))];
  });
  const stop = clock.every(PUSH_EVERY_MS, () => {
    world.refresh();
    const horizon = world.matchHorizon();
    if (horizon <= sent) return;
    const { all } = world.activity;
    const from = lowerBound(all, sent, Number.POSITIVE_INFINITY);
    const to = lowerBound(all, horizon, Number.POSITIVE_INFINITY);
    for (const movement of all.slice(Math.max(from, to - MOST_PER_PUSH), to)) push(movement);
    sent = horizon;
  });
  socket.on("close", stop);

  function push(movement: ActivityRecord): void {
    if (movement.type !== "TRADE") return;
    for (const type of ["trades", "orders_matched"]) {
      if (type === "orders_matched" && movement.role !== "taker") continue;
      if (!subscribed.some((one) => (one.type === type || one.type === "*") && matches(movement, one.filters)))
        continue;
      const now = world.nowMs();
      const payload = presentTradePayload(movement, now / 1000);
      socket.send(
        JSON.stringify({ topic: "activity", type, timestamp: Math.floor(now), connection_id: connectionId, payload }),
      );
    }
  }
}

function matches(
  { market }: ActivityRecord,
  { event_slug: event, market_slug: slug }: z.infer<typeof Filters>,
): boolean {
  return (event === undefined || market?.event.slug === event) && (slug === undefined || market?.slug === slug);
}

function parseFilters(text: string | undefined): z.infer<typeof Filters> {
  const filters = Filters.safeParse(parseJson(text ?? "{}"));
  return filters.success ? filters.data : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
