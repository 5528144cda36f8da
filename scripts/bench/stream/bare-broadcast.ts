import { fork } from "node:child_process";
import { once } from "node:events";
import type { BareCommand } from "./bare-broadcast-process.ts";
import type { StreamSource } from "./measure-fanout.ts";

/** Starts a plain Node server that broadcasts, in its own process. */
export async function startBareBroadcast(): Promise<StreamSource & { stop(): void }> {
  const child = fork("scripts/bench/stream/bare-broadcast-process.ts", {
    execArgv: ["--disable-warning=ExperimentalWarning", "--expose-gc"],
  });
  const [port] = await once(child, "message");
  const request = async (command: BareCommand): Promise<void> => {
    const done = once(child, "message");
    child.send(command);
    await done;
  };
  return {
    name: "bare Node broadcast",
    port: Number(port),
    pid: child.pid ?? Number.NaN,
    async publish(frames, everyMs) {
      await request({ frames, everyMs });
      return [];
    },
    collectGarbage: () => request("collect"),
    stop: () => void child.kill(),
  };
}
