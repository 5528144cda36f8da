import type { LiveSize } from "./live-size.ts";
import { describeRun, describeSample, describeSize } from "./print-live-size.ts";
import { runLiveSize } from "./run-live-size.ts";

/** Above this many markets the jobs need longer to read what was loaded. */
const MANY_MARKETS = 100_000;

/** The product under the provider's live trades, over a loaded history. Bars are printed, met or missed, for each phase. */
export async function benchLiveSize(phases: readonly LiveSize[], dataDir: string | null): Promise<void> {
  for (const phase of phases) console.log(`live-size: ${describeSize(phase)}`);
  await runLiveSize(phases, {
    print: (line) => console.log(line),
    onSample: (sample) => console.log(describeSample(sample)),
    onRun: (run) => {
      for (const line of describeRun(run)) console.log(line);
    },
    dataDir,
    warmUpMs: phases.some(({ markets }) => markets > MANY_MARKETS) ? 240_000 : 60_000,
  });
}
