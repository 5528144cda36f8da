import fc from "fast-check";
import { expect, test } from "vitest";
import { flowSideOf, type FlowSide } from "../../../../src/scoring/signals/flow-side.ts";

const T = 1_000_000n;

test.for<[net: bigint, before: FlowSide, now: FlowSide]>([
  [T, "none", "yes"],
  // Compared in cents: half a cent counts as one.
  [T - 5_000n, "none", "yes"],
  [T - 5_001n, "none", "none"],
  [-T, "none", "no"],
  [-T + 5_001n, "none", "none"],
  [0n, "none", "none"],
  // Down to 80 % it is still the same crossing, below it is not.
  [800_000n, "yes", "yes"],
  [794_999n, "yes", "none"],
  [-800_000n, "no", "no"],
  [-794_999n, "no", "none"],
  // The lower bound of one side does not apply to the other.
  [-900_000n, "yes", "none"],
  [900_000n, "no", "none"],
  [-T, "yes", "no"],
  [T, "no", "yes"],
])("a net flow of %s with a threshold of a million changes the side from %s to %s", ([net, before, now]) => {
  expect(flowSideOf(net, before, T)).toBe(now);
});

test("a flow that stays above 80 % of the threshold crosses to a side at most once", () => {
  const around = fc.array(fc.bigInt({ min: 800_000n, max: 5_000_000n }), { maxLength: 30 });
  fc.assert(
    fc.property(around, (nets) => {
      let [side, crossings]: [FlowSide, number] = ["none", 0];
      for (const net of nets) {
        const now = flowSideOf(net, side, T);
        if (now !== side) crossings += 1;
        side = now;
      }
      expect(crossings).toBe(nets.some((net) => net >= T - 5_000n) ? 1 : 0);
    }),
  );
});
