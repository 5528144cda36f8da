let last = 0;

/** A number that no other row of this test file has. */
export function nextNumber(): number {
  last += 1;
  return last;
}

export const hex = (n: number, digits: number): string => `0x${n.toString(16).padStart(digits, "0")}`;
