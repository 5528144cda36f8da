import type { WebSocket } from "ws";
import type { Clock } from "../../../src/lib/timing/clock.ts";
import type { ProviderWorld } from "../provider-world.ts";

const CHECK_EVERY_MS = 1000;
const PING_EVERY_MS = 5000;
const PONG_WITHIN_MS = 10_000;
/** Unchanged state is sent again at this interval. */
const RESEND_EVERY_MS = 20_000;

/**
 * The sports socket pushes every game without a subscription. It sends text `ping` and closes without a text
 * `pong`.
 */
export function serveSportsSocket(world: ProviderWorld, socket: WebSocket, clock: Clock): void {
  const last = new Map<string, { text: string; at: number }>();
  let pingAt = 0;
  let pongDue: number | null = null;
  const check = () => {
    const now = clock.now();
    if (pongDue !== null && now > pongDue) return socket.close();
    if (now - pingAt >= PING_EVERY_MS) {
      socket.send("ping");
      pingAt = now;
      pongDue ??= now + PONG_WITHIN_MS;
    }
    world.refresh();
    for (const frame of world.listGameFrames()) {
      const key = String(frame["gameId"] ?? frame["metadataGameId"]);
      const text = JSON.stringify(frame);
      const before = last.get(key);
      if (
        before !== undefined &&
        before.text === text &&
        (frame["ended"] === true || now - before.at < RESEND_EVERY_MS)
      )
        continue;
      last.set(key, { text, at: now });
      socket.send(text);
    }
  };
  socket.on("message", (data) => {
    if (data.toString() === "pong") pongDue = null;
  });
  socket.on("close", clock.every(CHECK_EVERY_MS, check));
  check();
}
