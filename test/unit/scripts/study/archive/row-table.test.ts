import fc from "fast-check";
import { expect, test } from "vitest";
import { RowTable } from "../../../../../scripts/study/archive/row-table.ts";

test("a table of rows adds up like a map, in the order of first use, also in memory of released tables", () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 2 ** 52, max: 2 ** 53 - 1 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.integer({ min: -9, max: 9 })), { maxLength: 400 }), (additions) => {
      const table = new RowTable(2);
      const map = new Map<number, [number, number]>();
      for (const [one, value] of additions) {
        const row = table.rowOf(one);
        table.values[row] = (table.values[row] ?? 0) + value;
        table.values[row + 1] = (table.values[row + 1] ?? 0) + 1;
        const [sum, count] = map.get(one) ?? [0, 0];
        map.set(one, [sum + value, count + 1]);
      }
      const rows: [number, [number, number]][] = [];
      table.forEach((one, row) => rows.push([one, [table.values[row] ?? 0, table.values[row + 1] ?? 0]]));
      expect(rows).toEqual([...map]);
      expect(table.count).toBe(map.size);
      // The next run of this test takes its arrays.
      table.release();
      expect(table.count).toBe(0);
    }),
  );
});
