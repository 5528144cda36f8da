import { expect, test } from "vitest";
import { nextComboRead } from "../../../../src/domain/combos/read-schedule.ts";

const NOW = new Date("2026-11-01T00:00:00Z");
const minutes = (at: Date | null) => (at === null ? null : (at.getTime() - NOW.getTime()) / 60_000);

test.each([
  ["half an hour after a first read that left something open", { attempts: 1, isOpen: true, holds: false }, 30],
  ["an hour after the second", { attempts: 2, isOpen: true, holds: true }, 60],
  ["at most a day later", { attempts: 100, isOpen: true, holds: true }, 1_440],
  ["in six hours while open combos are held", { attempts: 0, isOpen: false, holds: true }, 360],
  ["never, when nothing can change without a trade", { attempts: 0, isOpen: false, holds: false }, null],
])("the next read of a trader's combos is %s", (_, state, expected) => {
  expect(minutes(nextComboRead(state, NOW))).toBe(expected);
});
