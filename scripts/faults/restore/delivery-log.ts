import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoggedDelivery {
  readonly eventId: string;
  readonly body: string;
}

export interface DeliveryLog {
  readonly url: string;
  /** Every delivery since the start, repeats included. */
  readonly deliveries: readonly LoggedDelivery[];
  stop(): void;
}

/** A webhook receiver on loopback that accepts every delivery and keeps it. */
export async function startDeliveryLog(): Promise<DeliveryLog> {
  const deliveries: LoggedDelivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      deliveries.push({ eventId: String(request.headers["webhook-id"]), body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The cast is safe: the server listens on a TCP port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    deliveries,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The fields that one fill has in every event, as docs/operations.md lists them. */
const NATURAL_FIELDS = ["wallet", "condition_id", "outcome_index", "side", "shares", "price", "traded_at"] as const;

export interface DeliveryFindings {
  /** Ids that arrived with bodies of different facts. The number of the trade's row is not one of them. */
  readonly ambiguousIds: readonly string[];
  /** The number of fills whose event arrived with more than one body: with the numbers of two rows. */
  readonly repeatedFills: number;
  /** The greatest number of event ids of one fill. */
  readonly mostIds: number;
}

/** Compares deliveries of `large_trade_inserted_v2` by id and by fill. */
export function compareDeliveries(deliveries: readonly LoggedDelivery[]): DeliveryFindings {
  const facts = new Map<string, Set<string>>();
  const fills = new Map<string, { ids: Set<string>; bodies: Set<string> }>();
  for (const { eventId, body } of deliveries) {
    const parsed = JSON.parse(body);
    const { whale_alert_id: _row, ...data } = parsed.data;
    facts.set(eventId, (facts.get(eventId) ?? new Set()).add(JSON.stringify({ ...parsed, data })));
    if (parsed.type !== "large_trade_inserted_v2") continue;
    const fill = JSON.stringify(NATURAL_FIELDS.map((field) => data[field]));
    const known = fills.get(fill) ?? { ids: new Set(), bodies: new Set() };
    known.ids.add(eventId);
    known.bodies.add(body);
    fills.set(fill, known);
  }
  return {
    ambiguousIds: [...facts].filter(([, texts]) => texts.size > 1).map(([id]) => id),
    repeatedFills: [...fills.values()].filter(({ bodies }) => bodies.size > 1).length,
    mostIds: Math.max(0, ...[...fills.values()].map(({ ids }) => ids.size)),
  };
}
