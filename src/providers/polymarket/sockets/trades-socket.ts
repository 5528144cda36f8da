import type { Misfit } from "../../../ports/provider.ts";
import { toRtdsTrade, type RtdsTrade } from "../mapping/live-trade.ts";
import { fitRecord } from "../payloads/fit-records.ts";
import { LiveFrame, LiveRefusal, LiveTrade } from "../payloads/live-trade.ts";
import { framesOf } from "./frames.ts";
import { KeptSocket, type KeptSocketSettings, type Link, type SocketState } from "./kept-socket.ts";

export interface TradesSocketSettings extends Pick<KeptSocketSettings, "url" | "connect" | "clock" | "random"> {
  /** Takers' and makers' rows, as they are matched. Some are missed and none is replayed: the trade feed is the record. */
  readonly onTrade: (trade: RtdsTrade) => void;
  readonly onMisfit: (misfit: Misfit) => void;
  readonly onState: (state: SocketState) => void;
}

const SUBSCRIPTION = JSON.stringify({ action: "subscribe", subscriptions: [{ topic: "activity", type: "trades" }] });
/** Without pings the server was seen to fall silent after some minutes with the socket still open. */
const PING_EVERY_MS = 5_000;
/** The unfiltered feed carries some fifty trades a second; a silence this long means it has stopped. */
const SILENCE_MS = 15_000;

/** The provider's live trade feed. */
export function openTradesSocket({ onTrade, onMisfit, onState, ...link }: TradesSocketSettings): KeptSocket {
  return new KeptSocket({
    ...link,
    silenceMs: SILENCE_MS,
    onState,
    onOpen(socket) {
      socket.send(SUBSCRIPTION);
      socket.every(PING_EVERY_MS, () => socket.send("PING"));
    },
    onText(text, socket) {
      // A pong says nothing about the feed: it alone must not keep the socket.
      if (text === "PONG") return false;
      const { frames, misfit } = framesOf(text);
      if (misfit !== null) onMisfit(misfit);
      let alive = false;
      for (const frame of frames) if (takeFrame(frame, socket)) alive = true;
      return alive;
    },
  });

  /** @returns whether the frame belongs to the feed */
  function takeFrame(frame: unknown, socket: Link): boolean {
    const envelope = LiveFrame.safeParse(frame);
    if (!envelope.success) {
      if (LiveRefusal.safeParse(frame).success) socket.drop("the subscription was refused");
      else onMisfit({ record: frame, reason: "no live frame" });
      return false;
    }
    if (envelope.data.topic !== "activity" || envelope.data.type !== "trades") return false;
    const fitted = fitRecord(envelope.data.payload, LiveTrade, toRtdsTrade);
    if ("misfit" in fitted) onMisfit({ ...fitted.misfit, record: frame });
    else if (fitted.row !== null) onTrade(fitted.row);
    return true;
  }
}
