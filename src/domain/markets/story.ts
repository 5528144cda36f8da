/*
 * A story: the events of one series on one night, such as the games of a league. They may share luck, so a trader's bets on
 * them are not counted as independent.
 */

// Built on first use: constructing it takes about a millisecond.
let eastern: Intl.DateTimeFormat | null = null;

/**
 * The story of an event. A night is a date in US Eastern time and ends at the next noon, so that a late game belongs to the
 * evening before.
 *
 * @param seriesSlug the provider's series of the event
 * @param at its kickoff, or its scheduled end where it is no game
 * @returns null without a series or a time: the event is its own story
 */
export function storyOf(seriesSlug: string | null, at: Date | null): string | null {
  return seriesSlug === null || at === null ? null : `${seriesSlug} ${nightOf(at)}`;
}

/** As YYYY-MM-DD. By the clock on the wall, because a night with a change of the clock has 23 or 25 hours. */
function nightOf(at: Date): string {
  eastern ??= new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: "America/New_York", calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric" },
  });
  const parts = new Map(eastern.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day, hour] = (["year", "month", "day", "hour"] as const).map((part) => parts.get(part) ?? 0);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (day ?? 1) - ((hour ?? 0) < 12 ? 1 : 0)));
  return date.toISOString().slice(0, 10);
}
