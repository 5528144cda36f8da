/** The provider's status of a game, normalised. */
export const MATCH_STATUSES = [
  "scheduled",
  "in_progress",
  "halftime",
  "penalty_shootout",
  "delayed",
  "suspended",
  "final",
  "final_overtime",
  "final_shootout",
  "awarded",
  "forfeit",
  "not_necessary",
  "postponed",
  "cancelled",
  "unknown",
] as const;

export type MatchStatus = (typeof MATCH_STATUSES)[number];

/**
 * The provider's spellings without case and punctuation, separated by spaces. Sources: the sports socket's
 * documentation and recorded frames; spelling differs between sports.
 */
const SPELLINGS: Readonly<Record<Exclude<MatchStatus, "unknown">, string>> = {
  scheduled: "scheduled notstarted created pregame prematch upcoming",
  in_progress: "inprogress running live started ongoing",
  halftime: "halftime ht break intermission",
  penalty_shootout: "penaltyshootout penalties shootout",
  delayed: "delayed",
  suspended: "suspended interrupted paused abandoned",
  final: "final finished ended complete completed closed",
  final_overtime: "fot aot aet afterovertime afterextratime",
  final_shootout: "fso ap afterpenalties",
  awarded: "awarded",
  forfeit: "forfeit forfeited walkover retired",
  not_necessary: "notnecessary",
  postponed: "postponed",
  cancelled: "cancelled canceled",
};

const BY_SPELLING: ReadonlyMap<string, MatchStatus> = new Map(
  Object.entries(SPELLINGS).flatMap(([status, spellings]) =>
    spellings.split(" ").map((spelling) => [spelling, MATCH_STATUSES.find((known) => known === status) ?? "unknown"]),
  ),
);

/** @returns null when the provider gave no status; `unknown` for a text that no sport is known to use */
export function parseMatchStatus(providerStatus: string | null): MatchStatus | null {
  if (providerStatus === null) return null;
  return BY_SPELLING.get(providerStatus.toLowerCase().replace(/[^a-z]/g, "")) ?? "unknown";
}
