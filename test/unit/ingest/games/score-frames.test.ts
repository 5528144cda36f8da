import { expect, test } from "vitest";
import { ScoreFrames } from "../../../../src/ingest/games/score-frames.ts";
import { aScoreFrame } from "../../../support/ingest/provider/provider-games.ts";

const AT = new Date("2026-11-20T18:00:00Z");
const scoresOf = (frames: ScoreFrames) => frames.take().map(({ frame }) => frame.score);

test("frames are taken once, in the order of arrival", () => {
  const frames = new ScoreFrames();
  for (const score of ["1-0", "2-0"]) frames.add(aScoreFrame(1, { score }), AT);
  expect(scoresOf(frames)).toEqual(["1-0", "2-0"]);
  expect(scoresOf(frames)).toEqual([]);
});

test("frames that could not be applied come before those that have arrived since", () => {
  const frames = new ScoreFrames();
  frames.add(aScoreFrame(1, { score: "1-0" }), AT);
  const taken = frames.take();
  frames.add(aScoreFrame(1, { score: "2-0" }), AT);
  frames.putBack(taken);
  expect(scoresOf(frames)).toEqual(["1-0", "2-0"]);
});

test("while frames cannot be applied, the newest 20,000 are held", () => {
  const frames = new ScoreFrames();
  for (let n = 0; n < 20_010; n++) frames.add(aScoreFrame(1, { score: `${n}-0` }), AT);
  const scores = scoresOf(frames);
  expect([scores.length, scores[0], scores.at(-1)]).toEqual([20_000, "10-0", "20009-0"]);
});
