import { describe, expect, test } from "vitest";
import { readMove, type MoveCombo } from "../../../../src/domain/combos/combo-moves.ts";
import type { LegState } from "../../../../src/domain/combos/combo-result.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

/** Legs won at hour 1 unless said otherwise; the compress is at hour 2. */
const combo = (conditionId: string, legs: Readonly<Record<string, LegState | number>>, isTraded = true): MoveCombo => ({
  conditionId,
  isTraded,
  legs: Object.entries(legs).map(([positionId, leg]) => ({
    positionId,
    state: typeof leg === "number" ? "won" : leg,
    resolvedAtMs: typeof leg === "number" ? leg * HOUR_MS : leg === "pending" ? null : HOUR_MS,
  })),
});
const event = (kind: "compress" | "wrap" | "unwrap", outcomeIndex: 0 | 1 = 0) => ({
  kind,
  outcomeIndex,
  atMs: 2 * HOUR_MS,
});

const BEFORE = combo("before", { a: "won", b: "pending", c: "pending" });
const AFTER = combo("after", { b: "pending", c: "pending" }, false);
const MOVE = {
  from: { kind: "combo", conditionId: "before", outcomeIndex: 0 },
  to: { kind: "combo", conditionId: "after", outcomeIndex: 0 },
};

describe("a compress", () => {
  test("moves shares from the combo with the won legs to the one without, whichever the event names", () => {
    expect(readMove(event("compress"), BEFORE, [AFTER])).toEqual(MOVE);
    expect(readMove(event("compress"), AFTER, [BEFORE])).toEqual(MOVE);
  });

  test("drops the legs that were resolved by then, whatever has been resolved since", () => {
    const before = combo("before", { a: 1, b: 5, c: 6 });
    const after = combo("after", { b: 5, c: 6 }, false);
    const later = combo("later", { c: 6 }, false);
    expect(readMove(event("compress"), before, [later, after])).toEqual(MOVE);
  });

  test("keeps the side", () => {
    const move = readMove(event("compress", 1), BEFORE, [AFTER]);
    expect(move).toMatchObject({ from: { outcomeIndex: 1 }, to: { outcomeIndex: 1 } });
  });

  test.each<[string, MoveCombo, readonly MoveCombo[]]>([
    ["no other combo is known", BEFORE, []],
    ["no leg was resolved by then", combo("before", { a: 3, b: "pending", c: "pending" }), [AFTER]],
    ["the dropped leg has lost", combo("before", { a: "lost", b: "pending", c: "pending" }), [AFTER]],
    ["the dropped leg is void", combo("before", { a: "void", b: "pending", c: "pending" }), [AFTER]],
    ["the other combo has another leg", BEFORE, [combo("other", { b: "pending", d: "pending" })]],
    ["the other combo has the same legs", BEFORE, [combo("same", { a: "won", b: "pending", c: "pending" })]],
    ["a resolved leg stays", combo("before", { a: 1, b: 1, c: "pending" }), [combo("one", { b: 1, c: "pending" })]],
    ["the trader has shares in neither", { ...BEFORE, isTraded: false }, [AFTER]],
    ["two combos of the trader lead to it", AFTER, [BEFORE, combo("wider", { d: 1, b: "pending", c: "pending" })]],
  ])("is not proven when %s", (_, named, others) => {
    expect(readMove(event("compress"), named, others)).toBeNull();
  });
});

describe("a wrap and an unwrap", () => {
  const single = combo("single", { a: "pending" });

  test("move shares between the leg's position and the combo of that leg", () => {
    const leg = { kind: "leg", positionId: "a", isComplement: false };
    const own = { kind: "combo", conditionId: "single", outcomeIndex: 0 };
    expect(readMove(event("wrap"), single, [])).toEqual({ from: leg, to: own });
    expect(readMove(event("unwrap"), single, [])).toEqual({ from: own, to: leg });
  });

  test("of the combo's NO concern the leg's complement", () => {
    const move = readMove(event("unwrap", 1), single, []);
    expect(move?.to).toEqual({ kind: "leg", positionId: "a", isComplement: true });
  });

  test("of several legs are not proven", () => {
    expect(readMove(event("wrap"), BEFORE, [])).toBeNull();
  });
});
