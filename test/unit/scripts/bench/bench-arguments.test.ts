import { expect, test } from "vitest";
import { parseBenchArguments } from "../../../../scripts/bench/arguments.ts";

test("the benchmark runs all parts by default, or the named ones in a fixed order", () => {
  expect(parseBenchArguments([])).toMatchObject({
    parts: ["ingest", "reads", "engine"],
    isSmall: false,
    growth: false,
    trades: 100_000,
  });
  expect(parseBenchArguments(["engine", "ingest"]).parts).toEqual(["ingest", "engine"]);
});

test("a small benchmark leaves the recordings out unless they are named", () => {
  expect(parseBenchArguments(["--small"])).toMatchObject({ isSmall: true, trades: 5_000, recordedDir: null });
  expect(parseBenchArguments(["--small", "--trades", "70", "--recorded", "dir"])).toMatchObject({
    trades: 70,
    recordedDir: "dir",
  });
});

test.each([
  [["engines"], "There is no part engines"],
  [["load", "reads"], "load cannot be combined"],
  [["--growth"], "--growth goes with engine alone"],
  [["engine", "reads", "--growth"], "--growth goes with engine alone"],
  [["--trades", "0"], "--trades is a whole number above 0"],
])("the benchmark refuses the arguments %j with a reason", (argv, message) => {
  expect(() => parseBenchArguments(argv)).toThrow(message);
});

test("the benchmark of files runs only when it is named, over the given number of trades", () => {
  expect(parseBenchArguments(["files", "--trades", "70"])).toMatchObject({ parts: ["files"], trades: 70 });
  expect(parseBenchArguments([]).parts).not.toContain("files");
});

test("the study reads a hundred million fills, or fewer", () => {
  expect(parseBenchArguments(["study"])).toMatchObject({ parts: ["study"], trades: 100_000_000 });
  expect(parseBenchArguments(["study", "--small"]).trades).toBe(300_000);
  expect(() => parseBenchArguments(["study", "reads"])).toThrow("study cannot be combined");
});

test("the growth benchmark is an option of the engine part", () => {
  expect(parseBenchArguments(["engine", "--growth"])).toMatchObject({ parts: ["engine"], growth: true });
});

test("live-size has the size of the provider, a short form, and options of its own", () => {
  expect(parseBenchArguments(["live-size"]).livePhases).toMatchObject([
    { markets: 1_000_000, fills: 5_000_000, minutes: 10, faults: [] },
  ]);
  const given = parseBenchArguments(["live-size", "--small", "--rtt", "40", "--minutes", "0.5"]).livePhases;
  expect(given).toMatchObject([{ markets: 50_000, rttMs: 40, minutes: 0.5, rate: 100, burst: 500 }]);
  expect(() => parseBenchArguments(["reads", "--rtt", "5"])).toThrow("--rtt goes with live-size or ingest");
  expect(() => parseBenchArguments(["live-size", "--rate", "0"])).toThrow("--rate is a number above 0");
  expect(() => parseBenchArguments(["live-size", "reads"])).toThrow("live-size cannot be combined");
  const faulty = parseBenchArguments(["live-size", "--faults", "provider,traders"]).livePhases;
  expect(faulty).toMatchObject([{ faults: ["provider", "traders"] }]);
  expect(() => parseBenchArguments(["live-size", "--faults", "fire"])).toThrow("--faults is a list of provider");
  expect(() => parseBenchArguments(["reads", "--faults", "provider"])).toThrow("--faults goes with live-size");
});

test("ingest may be a round trip away from its services", () => {
  expect(parseBenchArguments(["ingest"]).ingestRttMs).toBe(0);
  expect(parseBenchArguments(["ingest", "--rtt", "5"]).ingestRttMs).toBe(5);
  expect(() => parseBenchArguments(["ingest", "--rtt", "5,40"])).toThrow("--rtt is a number above 0, not 5,40");
  expect(() => parseBenchArguments(["ingest", "--minutes", "5"])).toThrow("--minutes goes with live-size");
});

test("live-size runs once for each round trip, with the faults in the last run", () => {
  const phases = (...given: string[]) => parseBenchArguments(["live-size", "--rtt", "5,40", ...given]).livePhases;
  expect(phases("--faults", "postgres")).toMatchObject([
    { phase: 0, rttMs: 5, minutes: 10, faults: [] },
    { phase: 1, rttMs: 40, minutes: 10, faults: ["postgres"] },
  ]);
  expect(phases("--minutes", "10,25").map(({ minutes }) => minutes)).toEqual([10, 25]);
  expect(() => phases("--minutes", "1,2,3")).toThrow("--minutes is one number, or one for each round trip of --rtt: 2");
  expect(() => phases("--minutes", "1,")).toThrow("--minutes is a number above 0");
});
