import type { QuarantinedRecord } from "../../../platform/provider.ts";
import { toRtdsTrade, type RtdsTrade } from "../mapping/trades/live-trade.ts";
import { parseProviderRecord } from "../payloads/parse-provider-records.ts";
import { LiveFrame, LiveRefusal, LiveTrade } from "../payloads/trades/live-trade.ts";
import { framesOf } from "./frames.ts";
import {
  ReconnectingSocket,
  type ReconnectingSocketSettings,
  type SocketHandle,
  type SocketState,
} from "./reconnecting-socket.ts";

export interface TradesSocketSettings extends Pick<ReconnectingSocketSettings, "url" | "connect" | "clock" | "random"> {
  /**
   * Called with taker and maker rows as they are matched. Some are missed and none is replayed: the trade
   * feed is the authoritative record.
   */
  readonly onTrade: (trade: RtdsTrade) => void;
  readonly onQuarantined: (quarantined: QuarantinedRecord) => void;
  readonly onState: (state: SocketState) => void;
}

const SUBSCRIPTION = JSON.stringify({ action: "subscribe", subscriptions: [{ topic: "activity", type: "trades" }] });
/** Without pings the server was observed to fall silent after some minutes with the socket still open. */
const PING_EVERY_MS = 5_000;
/** The unfiltered feed carries about fifty trades a second; a silence this long means that it has stopped. */
const SILENCE_MS = 15_000;

/** The provider's live trade feed. */
export function openTradesSocket({
  onTrade,
  onQuarantined,
  onState,
  ...link
}: TradesSocketSettings): ReconnectingSocket {
  return new ReconnectingSocket({
    ...link,
    silenceMs: SILENCE_MS,
    onState,
    onOpen(socket) {
      socket.send(SUBSCRIPTION);
      socket.every(PING_EVERY_MS, () => socket.send("PING"));
    },
    onText(text, socket) {
      // A pong does not show that the feed works, so it does not reset the silence timer.
      if (text === "PONG") return false;
      const { frames, quarantined } = framesOf(text);
      if (quarantined !== null) onQuarantined(quarantined);
      let isAlive = false;
      for (const frame of frames) if (takeFrame(frame, socket)) isAlive = true;
      return isAlive;
    },
  });

  /** @returns whether the frame belongs to the feed */
  function takeFrame(frame: unknown, socket: SocketHandle): boolean {
    const envelope = LiveFrame.safeParse(frame);
    if (!envelope.success) {
      if (LiveRefusal.safeParse(frame).success) socket.reconnect("the subscription was refused");
      else onQuarantined({ record: frame, reason: "no live frame" });
      return false;
    }
    if (envelope.data.topic !== "activity" || envelope.data.type !== "trades") return false;
    const fitted = parseProviderRecord(envelope.data.payload, LiveTrade, toRtdsTrade);
    if ("invalid" in fitted) onQuarantined({ ...fitted.invalid, record: frame });
    else if (fitted.row !== null) onTrade(fitted.row);
    return true;
  }
}
