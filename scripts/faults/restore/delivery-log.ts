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

/** The fields by which docs/operations.md recognises one fill in two events. */
const NATURAL_FIELDS = ["wallet", "condition_id", "outcome_index", "side", "shares", "price", "traded_at"] as const;

export interface DeliveryFindings {
  /** Ids that arrived with different bodies. */
  readonly ambiguousIds: readonly string[];
  /** `traded_at` of each fill that arrived under several ids, sorted. */
  readonly reissuedFills: readonly string[];
  /** The greatest number of ids of one fill. */
  readonly mostIds: number;
}

/** Compares deliveries of `large_trade_inserted_v2` by id and by fill. */
export function compareDeliveries(deliveries: readonly LoggedDelivery[]): DeliveryFindings {
  const bodies = new Map<string, Set<string>>();
  const ids = new Map<string, { tradedAt: string; ids: Set<string> }>();
  for (const { eventId, body } of deliveries) {
    bodies.set(eventId, (bodies.get(eventId) ?? new Set()).add(body));
    const { type, data } = JSON.parse(body);
    if (type !== "large_trade_inserted_v2") continue;
    const fill = JSON.stringify(NATURAL_FIELDS.map((field) => data[field]));
    const known = ids.get(fill) ?? { tradedAt: String(data.traded_at), ids: new Set() };
    known.ids.add(eventId);
    ids.set(fill, known);
  }
  const fills = [...ids.values()];
  return {
    ambiguousIds: [...bodies].filter(([, texts]) => texts.size > 1).map(([id]) => id),
    reissuedFills: fills
      .filter((fill) => fill.ids.size > 1)
      .map(({ tradedAt }) => tradedAt)
      .toSorted(),
    mostIds: Math.max(0, ...fills.map((fill) => fill.ids.size)),
  };
}
