import type { Misfit } from "../../../ports/provider.ts";
import { toGameState, type GameState } from "../mapping/game-state.ts";
import { fitRecord } from "../payloads/fit-records.ts";
import { GameFrame } from "../payloads/game-frame.ts";
import { framesOf } from "./frames.ts";
import { KeptSocket, type KeptSocketSettings, type SocketState } from "./kept-socket.ts";

export interface SportsSocketSettings extends Pick<KeptSocketSettings, "url" | "connect" | "clock" | "random"> {
  /** The state of one game, also when it has not changed since the last time. */
  readonly onGame: (game: GameState) => void;
  readonly onMisfit: (misfit: Misfit) => void;
  readonly onState: (state: SocketState) => void;
}

/** Unchanged games are sent again every 20 seconds, and text pings come every 5 where the server uses them. */
const SILENCE_MS = 60_000;

/** The provider's live scores: every game is pushed, without a subscription. */
export function openSportsSocket({ onGame, onMisfit, onState, ...link }: SportsSocketSettings): KeptSocket {
  return new KeptSocket({
    ...link,
    silenceMs: SILENCE_MS,
    onState,
    onOpen: () => undefined,
    onText(text, socket) {
      if (text === "ping") {
        socket.send("pong");
        return true;
      }
      const { frames, misfit } = framesOf(text);
      if (misfit !== null) onMisfit(misfit);
      for (const frame of frames) {
        const fitted = fitRecord(frame, GameFrame, toGameState);
        if ("misfit" in fitted) onMisfit(fitted.misfit);
        else if (fitted.row !== null) onGame(fitted.row);
      }
      return true;
    },
  });
}
