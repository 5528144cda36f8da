import { describe, expect, test } from "vitest";
import { decodePositionId, encodePositionId, isComboPosition } from "../../../../src/domain/combos/position-id.ts";

describe("position ids", () => {
  // Recorded: a combo's position, and the legs of two combos with the condition ids that their rows state.
  test.each([
    [
      "1534162831021071298618460748655302203595635349916686009303552494548086161408",
      { moduleId: 3, conditionId: "0x03644e2e16fcbac7ab23cbf9cf68fba6f10000000000000000000000000000", outcomeIndex: 0 },
    ],
    [
      "559046155902038595262480008230326675380475253950762106083537792221715628032",
      { moduleId: 1, conditionId: "0x013c68ae665fd8c9156655492ae51153160000000000000000000000000000", outcomeIndex: 0 },
    ],
    [
      "686958738232140500825748414873722514450555655367691328487318002769082712064",
      { moduleId: 1, conditionId: "0x0184ce0bc56cca501e54321175826eb8e60000000000000000000000000000", outcomeIndex: 0 },
    ],
  ])("the position %s is decoded into module, condition and outcome", (positionId, expected) => {
    expect(decodePositionId(positionId)).toEqual(expected);
  });

  test("an encoded position decodes to its condition and outcome", () => {
    const conditionId = `0x03${"ab".repeat(30)}`;
    for (const outcome of [0, 1] as const) {
      expect(decodePositionId(encodePositionId(conditionId, outcome))).toEqual({
        ...{ moduleId: 3, conditionId, outcomeIndex: outcome },
      });
    }
  });

  test.each(["", "12a", "-1", "1", String(1n << 256n), String((9n << 248n) + 1n)])(
    "the text %j is no position id of a module",
    (text) => expect(decodePositionId(text)).toBeNull(),
  );

  test("only the YES and NO of module 3 are positions of a combo", () => {
    expect(isComboPosition({ moduleId: 3, conditionId: "0x", outcomeIndex: 1 })).toBe(true);
    expect(isComboPosition({ moduleId: 3, conditionId: "0x", outcomeIndex: 2 })).toBe(false);
    expect(isComboPosition({ moduleId: 2, conditionId: "0x", outcomeIndex: 0 })).toBe(false);
  });
});
