import type { ProviderScoreFrame, QuarantinedRecord } from "../../../platform/provider.ts";
import { toScoreFrame } from "../mapping/sports/score-frame.ts";
import { parseProviderRecord } from "../payloads/parse-provider-records.ts";
import { GameFrame } from "../payloads/sports/game-frame.ts";
import { framesOf } from "./frames.ts";
import { ReconnectingSocket, type ReconnectingSocketSettings, type SocketState } from "./reconnecting-socket.ts";

export interface SportsSocketSettings extends Pick<ReconnectingSocketSettings, "url" | "connect" | "clock" | "random"> {
  /** Called with the state of one game, also when it has not changed. */
  readonly onGame: (game: ProviderScoreFrame) => void;
  readonly onQuarantined: (quarantined: QuarantinedRecord) => void;
  readonly onState: (state: SocketState) => void;
}

/**
 * Unchanged games are sent again every 20 seconds, and text pings arrive every 5 seconds where the server
 * uses them.
 */
const SILENCE_MS = 60_000;

/** The provider's live scores: every game is pushed, without a subscription. */
export function openSportsSocket({
  onGame,
  onQuarantined,
  onState,
  ...link
}: SportsSocketSettings): ReconnectingSocket {
  return new ReconnectingSocket({
    ...link,
    silenceMs: SILENCE_MS,
    onState,
    onOpen: () => undefined,
    onText(text, socket) {
      if (text === "ping") {
        socket.send("pong");
        return true;
      }
      const { frames, quarantined } = framesOf(text);
      if (quarantined !== null) onQuarantined(quarantined);
      for (const frame of frames) {
        const fitted = parseProviderRecord(frame, GameFrame, toScoreFrame);
        if ("invalid" in fitted) onQuarantined(fitted.invalid);
        else if (fitted.row !== null) onGame(fitted.row);
      }
      return true;
    },
  });
}
