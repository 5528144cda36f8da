import { expect, test } from "vitest";
import { findNodeUrl, parseVerifyFeedArguments } from "../../../../scripts/verify-feed/arguments.ts";

test("the blocks to verify are required, and the rest has defaults", () => {
  expect(parseVerifyFeedArguments(["--blocks", "86126998..86127000"])).toEqual({
    range: { from: 86_126_998, to: 86_127_000 },
    dataDir: ".local",
    confirmations: 64,
    blocksPerCall: 100,
    concurrency: 4,
    lines: 20,
    record: null,
  });
});

test("a command that records needs the product's floor of large trades, and may name its market service", () => {
  const record = ["--blocks", "1..2", "--record", "--large-trade-min-usd", "5000"];
  expect(parseVerifyFeedArguments(record).record).toEqual({ largeTradeMinUsd: 5_000, gammaUrl: null });
  expect(parseVerifyFeedArguments([...record, "--gamma", "https://gamma.example/"]).record).toEqual({
    largeTradeMinUsd: 5_000,
    gammaUrl: "https://gamma.example",
  });
});

test.each([
  [[], "--blocks is missing."],
  [["--blocks", "5"], "--blocks is not A..B"],
  [["--blocks", "6..5"], "--blocks is not A..B"],
  [["--blocks", "1..2", "--confirmations", "0"], "--confirmations is not a number from 1"],
  [["--blocks", "1..2", "--concurrency", "many"], "--concurrency is not a number"],
  [["--blocks", "1..2", "--node", "x"], "--node"],
  [["--blocks", "1..2", "--record"], "--large-trade-min-usd and --gamma are for --record, which needs the first."],
  [["--blocks", "1..2", "--gamma", "https://gamma.example"], "are for --record"],
  [["--blocks", "1..2", "--large-trade-min-usd", "5000"], "are for --record"],
  [["--blocks", "1..2", "--record", "--large-trade-min-usd", "0"], "is not a number of dollars from 1"],
  [["--blocks", "1..2", "--record", "--large-trade-min-usd", "9", "--gamma", "x"], "--gamma is not an http"],
])("a command line %j is refused: %s", (argv, message) => {
  expect(() => parseVerifyFeedArguments(argv)).toThrow(message);
});

test("the address of the node comes from the environment, and a mistake does not print it", () => {
  expect(findNodeUrl({ CHAIN_RPC_URL: "https://node.example/v2/key" })).toBe("https://node.example/v2/key");
  expect(() => findNodeUrl({})).toThrow("Set CHAIN_RPC_URL");
  expect(() => findNodeUrl({ CHAIN_RPC_URL: "ftp://node.example/key" })).toThrow(/^(?!.*key)/);
});
