/** Letter grades, best first. */
export const GRADES = ["S", "A", "B", "C", "D", "F"] as const;

export type Grade = (typeof GRADES)[number];

/** The grades that pass a minimum: `A` accepts S and A. Ungraded traders never pass. */
export function gradesFrom(minimum: Grade): readonly Grade[] {
  return GRADES.slice(0, GRADES.indexOf(minimum) + 1);
}
