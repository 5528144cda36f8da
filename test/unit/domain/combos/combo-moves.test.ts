import { describe, expect, test } from "vitest";
import { readMove, type MoveCombo } from "../../../../src/domain/combos/combo-moves.ts";
import type { LegState } from "../../../../src/domain/combos/combo-result.ts";

const combo = (conditionId: string, legs: Readonly<Record<string, LegState>>): MoveCombo => ({
  conditionId,
  legs: Object.entries(legs).map(([positionId, state]) => ({ positionId, state })),
});

const BEFORE = combo("before", { a: "won", b: "pending", c: "pending" });
const AFTER = combo("after", { b: "pending", c: "pending" });
const MOVE = {
  from: { kind: "combo", conditionId: "before", outcomeIndex: 0 },
  to: { kind: "combo", conditionId: "after", outcomeIndex: 0 },
};

describe("a compress", () => {
  test("moves shares from the combo with the won legs to the one without, whichever the event names", () => {
    expect(readMove("compress", BEFORE, 0, [AFTER])).toEqual(MOVE);
    expect(readMove("compress", AFTER, 0, [BEFORE])).toEqual(MOVE);
  });

  test("keeps the side", () => {
    expect(readMove("compress", BEFORE, 1, [AFTER])).toMatchObject({
      from: { outcomeIndex: 1 },
      to: { outcomeIndex: 1 },
    });
  });

  test.each<[string, MoveCombo, readonly MoveCombo[]]>([
    ["no other combo is known", BEFORE, []],
    ["the dropped leg has not won", combo("before", { a: "pending", b: "pending", c: "pending" }), [AFTER]],
    ["the dropped leg is void", combo("before", { a: "void", b: "pending", c: "pending" }), [AFTER]],
    ["the other combo has another leg", BEFORE, [combo("other", { b: "pending", d: "pending" })]],
    ["the other combo has the same legs", BEFORE, [combo("same", { a: "won", b: "pending", c: "pending" })]],
    [
      "two combos fit",
      combo("before", { a: "won", b: "won", c: "pending" }),
      [combo("one", { b: "won", c: "pending" }), combo("two", { c: "pending" })],
    ],
    ["one fits on either side", AFTER, [BEFORE, combo("wider", { d: "won", b: "pending", c: "pending" })]],
  ])("is not proven when %s", (_, named, others) => {
    expect(readMove("compress", named, 0, others)).toBeNull();
  });
});

describe("a wrap and an unwrap", () => {
  const single = combo("single", { a: "pending" });

  test("move shares between the leg's position and the combo of that leg", () => {
    const leg = { kind: "leg", positionId: "a", isComplement: false };
    const own = { kind: "combo", conditionId: "single", outcomeIndex: 0 };
    expect(readMove("wrap", single, 0, [])).toEqual({ from: leg, to: own });
    expect(readMove("unwrap", single, 0, [])).toEqual({ from: own, to: leg });
  });

  test("of the combo's NO concern the leg's complement", () => {
    expect(readMove("unwrap", single, 1, [])?.to).toEqual({ kind: "leg", positionId: "a", isComplement: true });
  });

  test("of several legs are not proven", () => {
    expect(readMove("wrap", BEFORE, 0, [])).toBeNull();
  });
});
