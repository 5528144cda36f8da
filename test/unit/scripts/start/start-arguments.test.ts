import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseStartArguments, StartError } from "../../../../scripts/start/arguments.ts";

const DEFAULTS = { source: { kind: "auto" }, port: 8787, dataDir: resolve(".local"), fresh: false, recordIn: null };

describe("valid arguments of npm start", () => {
  test.each([
    [[], {}],
    [["--source", "auto"], {}],
    [["--source", "live"], { source: { kind: "live" } }],
    [["--source", "simulate"], { source: { kind: "simulate", seed: 1 } }],
    [["--source", "simulate", "--seed", "7"], { source: { kind: "simulate", seed: 7 } }],
    [["--source", "simulate", "--seed=0"], { source: { kind: "simulate", seed: 0 } }],
    [["--source", "replay", "docs"], { source: { kind: "replay", dir: resolve("docs"), speed: "max" } }],
    [
      ["--source", "replay", "docs", "--speed", "max"],
      { source: { kind: "replay", dir: resolve("docs"), speed: "max" } },
    ],
    [
      ["--source", "replay", "docs", "--speed", "0.5"],
      { source: { kind: "replay", dir: resolve("docs"), speed: 0.5 } },
    ],
    [
      ["docs", "--source", "replay", "--fresh"],
      { source: { kind: "replay", dir: resolve("docs"), speed: "max" }, fresh: true },
    ],
    [["--port", "9000"], { port: 9000 }],
    [["--port", "65535"], { port: 65_535 }],
    [["--data", "/var/lib/product"], { dataDir: "/var/lib/product" }],
    [["--fresh"], { fresh: true }],
    [["--record", "recorded"], { recordIn: resolve("recorded") }],
  ])("npm start accepts the arguments %j", (argv, differences) => {
    expect(parseStartArguments(argv)).toEqual({ ...DEFAULTS, ...differences });
  });
});

describe("invalid arguments of npm start", () => {
  test.each([
    [["--sauce"], "Unknown option '--sauce'"],
    [["--port"], "Option '--port <value>' argument missing"],
    [["simulate"], "Not understood: simulate."],
    [["--source", "live", "docs"], "Not understood: docs."],
    [["--source", "dreams"], "--source is live, replay DIR, simulate or auto, not dreams."],
    [["--source", "replay"], "--source replay takes one directory of recorded files."],
    [["--source", "replay", "docs", "src"], "--source replay takes one directory of recorded files."],
    [["--source", "replay", "no/such/place"], "There is no directory no/such/place to replay."],
    [["--source", "replay", "README.md"], "There is no directory README.md to replay."],
    [["--source", "replay", "docs", "--speed", "0"], "--speed is max or a positive number, not 0."],
    [["--source", "replay", "docs", "--speed", "fast"], "--speed is max or a positive number, not fast."],
    [["--source", "replay", "docs", "--speed", "Infinity"], "--speed is max or a positive number, not Infinity."],
    [["--source", "live", "--speed", "2"], "--speed goes with --source replay."],
    [["--source", "live", "--seed", "2"], "--seed goes with --source simulate."],
    [["--seed", "2"], "--seed goes with --source simulate."],
    [["--source", "simulate", "--seed", "1.5"], "--seed is a whole number from 0 to 2147483648, not 1.5."],
    [["--source", "simulate", "--seed", ""], "--seed is a whole number from 0 to 2147483648, not ."],
    [["--port", "0"], "--port is a whole number from 1 to 65535, not 0."],
    [["--port", "65536"], "--port is a whole number from 1 to 65535, not 65536."],
    [["--port", "web"], "--port is a whole number from 1 to 65535, not web."],
  ])("npm start refuses the arguments %j with a sentence that names the problem", (argv, sentence) => {
    const parse = () => parseStartArguments(argv);
    expect(parse).toThrow(StartError);
    expect(parse).toThrow(sentence);
  });
});
