/** What the leading comment lines of a migration say about it. */
export interface MigrationMarkers {
  /** `-- no-transaction`: its statements run one by one, each in its own transaction. */
  readonly withoutTransaction: boolean;
  /**
   * `-- contract: RELEASE`: the first release that no longer uses what the migration removes; null without
   * one.
   */
  readonly contractRelease: string | null;
}

/** Reads the markers of a migration's text. A marker after the first statement has no effect. */
export function readMarkers(text: string): MigrationMarkers {
  const lines = text.split("\n").map((line) => line.trim());
  const end = lines.findIndex((line) => line !== "" && !line.startsWith("--"));
  const header = end === -1 ? lines : lines.slice(0, end);
  return {
    withoutTransaction: header.includes("-- no-transaction"),
    contractRelease:
      header.map((line) => /^-- contract: (\S+)$/.exec(line)?.[1]).find((name) => name !== undefined) ?? null,
  };
}
