import { fork } from "node:child_process";
import { once } from "node:events";
import type { BareCommand } from "./bare-broadcast-process.ts";
import type { StreamSource } from "./measure-fanout.ts";

/** A plain Node server that broadcasts, in a process of its own. */
export async function startBareBroadcast(): Promise<StreamSource & { stop(): void }> {
  const child = fork("scripts/bench/stream/bare-broadcast-process.ts", {
    execArgv: ["--disable-warning=ExperimentalWarning", "--expose-gc"],
  });
  const [port] = await once(child, "message");
  const ask = async (command: BareCommand): Promise<void> => {
    const done = once(child, "message");
    child.send(command);
    await done;
  };
  return {
    name: "bare Node broadcast",
    port: Number(port),
    pid: child.pid ?? Number.NaN,
    async publish(frames, everyMs) {
      await ask({ frames, everyMs });
      return [];
    },
    collectGarbage: () => ask("collect"),
    stop: () => void child.kill(),
  };
}
