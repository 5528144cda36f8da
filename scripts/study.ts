import { parseStudyArguments, StudyArgumentError, USAGE } from "./study/arguments.ts";
import { measureWalk, type StudyResult } from "./study/measure-walk.ts";
import { readRecordedData } from "./study/recorded-data.ts";
import { renderPooled, renderReport } from "./study/render-report.ts";
import { simulateYear } from "./study/simulate/simulate-year.ts";
import type { StudyData } from "./study/study-data.ts";
import { walkForward } from "./study/walk-forward.ts";

// Proof of prediction: do letters, given only from what had settled, tell how a wallet's later purchases do?
const argv = process.argv.slice(2);
if (argv.includes("--help") || argv.length === 0) {
  console.log(USAGE);
} else {
  try {
    const request = parseStudyArguments(argv);
    if (request.kind === "recorded") report(await readRecordedData(request.dir, request.infersResolutions));
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

function report(data: StudyData): StudyResult {
  const result = measureWalk(data, walkForward(data));
  console.log(renderReport(result));
  return result;
}
