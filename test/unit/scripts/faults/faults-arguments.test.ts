import { expect, test } from "vitest";
import { parseFaultsArguments } from "../../../../scripts/faults/arguments.ts";

test("the faults command runs 10,000 events in ten minutes with a random seed by default", () => {
  expect(parseFaultsArguments(["webhooks"])).toEqual({
    ...{ target: "webhooks", minutes: 10, events: 10_000, connections: 5_000, seed: null },
  });
  expect(parseFaultsArguments(["webhooks", "--minutes", "0.5", "--events", "500", "--seed", "7"])).toEqual({
    ...{ target: "webhooks", minutes: 0.5, events: 500, connections: 5_000, seed: 7 },
  });
  expect(parseFaultsArguments(["files", "--seed", "7"])).toMatchObject({ target: "files", minutes: 10, seed: 7 });
  expect(parseFaultsArguments(["stream-deploy", "--connections", "200"])).toMatchObject({
    ...{ target: "stream-deploy", connections: 200 },
  });
  expect(parseFaultsArguments(["restore"])).toMatchObject({ target: "restore" });
});

test.each([
  [["ingest"], "Name what to test: webhooks, files, stream-deploy or restore."],
  [["webhooks", "ingest"], "Name what to test: webhooks, files, stream-deploy or restore."],
  [["webhooks", "--minutes", "0"], "--minutes is a number above 0, not 0."],
  [["webhooks", "--minutes", "ten"], "--minutes is a number above 0, not ten."],
  [["webhooks", "--events", "1.5"], "--events is a whole number above 0, not 1.5."],
  [["files", "--events", "5"], "--events goes with webhooks."],
  [["files", "--connections", "5"], "--connections goes with stream-deploy."],
  [["restore", "--events", "5"], "--events goes with webhooks."],
  [["restore", "--minutes", "5"], "restore takes no --minutes and no --seed."],
  [["restore", "--seed", "5"], "restore takes no --minutes and no --seed."],
  [["webhooks", "--seed", "-1"], "ambiguous"],
])("the faults command refuses the arguments %j with a reason", (argv, message) => {
  expect(() => parseFaultsArguments(argv)).toThrow(message);
});
