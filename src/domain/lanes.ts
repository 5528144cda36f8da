/**
 * A lane runs its jobs one after the other, in a Durable Object with an alarm and a database session of its
 * own. A slow job delays its own lane only, so the trade feeds share theirs with nothing, and scores wait for
 * no list.
 */
export const LANES = ["feed", "games", "figures", "lists", "maintenance"] as const;

export type Lane = (typeof LANES)[number];
