/**
 * The id of the entry that a row of `markets` belongs to: twice the event's id, or for a market without one twice its own and one. The function
 * of the migrations is what the triggers that fill `explore_changes` use too.
 */
export const exploreKey = (market: string): string => `explore_key(${market}.id, ${market}.event_id)`;
