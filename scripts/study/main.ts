import { parseStudyArguments, StudyArgumentError, USAGE, type StudyArguments } from "./arguments.ts";
import { measureStream } from "./archive/measure-stream.ts";
import { hasTables, readArchive } from "./archive/read-archive.ts";
import { measureWalk, type StudyResult } from "./measure-walk.ts";
import { measurePicks, type PickStudy } from "./picks/measure-picks.ts";
import { renderPicks, renderPooledPicks } from "./picks/render-picks.ts";
import { walkPicks } from "./picks/walk-picks.ts";
import { readRecordedData } from "./recorded-data.ts";
import { renderPooled, renderReport } from "./render-report.ts";
import { simulateYear } from "./simulate/simulate-year.ts";
import type { StudyData } from "./study-data.ts";
import { walkForward } from "./walk-forward.ts";
import { measureBoard, renderBoards } from "./worlds/measure-board.ts";
import { measureWorld } from "./worlds/measure-world.ts";
import { renderWorlds } from "./worlds/render-worlds.ts";

// Tests whether letters, graded only from what had settled before, predict a trader's later purchases.
const argv = process.argv.slice(2);
if (argv.includes("--help") || argv.length === 0) {
  console.log(USAGE);
} else {
  try {
    const request = parseStudyArguments(argv);
    if (request.kind === "worlds")
      console.log(renderWorlds(request.worlds.map((world) => measureWorld(world, request.seeds, request))));
    else if (request.kind === "board") console.log(renderBoards(request.seeds.map(measureBoard)));
    else if (request.picks) await studyPicks(request);
    else if (request.kind === "recorded") await studyDirectory(request);
    else {
      const results = request.seeds.map((seed) => report(simulateYear(seed, request)));
      if (results.length > 1) console.log(renderPooled(results));
    }
  } catch (error) {
    if (!(error instanceof StudyArgumentError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Parquet and CSV files are walked as a stream, recorded files in memory. */
async function studyDirectory({
  dir,
  infersResolutions,
}: Extract<StudyArguments, { kind: "recorded" }>): Promise<void> {
  if (!(await hasTables(dir))) {
    report(await readRecordedData(dir, infersResolutions));
    return;
  }
  if (infersResolutions)
    throw new StudyArgumentError("--infer-resolutions is for recorded files, not for Parquet or CSV.");
  const archive = await readArchive(dir);
  try {
    console.log(renderReport(measureStream(archive.data)));
  } finally {
    archive.dispose();
  }
}

function report(data: StudyData): StudyResult {
  const result = measureWalk(data, walkForward(data));
  console.log(renderReport(result));
  return result;
}

/** What the rule of the daily pick would have picked. */
async function studyPicks(request: StudyArguments): Promise<void> {
  if (request.kind === "recorded" && (await hasTables(request.dir)))
    throw new StudyArgumentError("--picks is for recorded files, not for Parquet or CSV.");
  const years =
    request.kind === "recorded"
      ? [{ seed: 0, read: () => readRecordedData(request.dir, request.infersResolutions) }]
      : request.seeds.map((seed) => ({ seed, read: async () => simulateYear(seed, request) }));
  const studies: PickStudy[] = [];
  for (const { seed, read } of years) {
    const data = await read();
    const study = measurePicks(walkPicks(data, walkForward(data)), seed);
    console.log(renderPicks(data, study));
    studies.push(study);
  }
  if (studies.length > 1) console.log(renderPooledPicks(studies));
}
