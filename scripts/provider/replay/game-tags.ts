import type { Tag } from "../provider-world.ts";
import { generatedObjectId } from "./generated-ids.ts";

/**
 * The tags that the provider gives every game of a league.
 *
 * @param sport its sport, where that is recorded too
 */
export const tagsOfGame = (league: string, sport = ""): readonly Tag[] =>
  ["sports", "games", league, sport]
    .filter((tag) => tag !== "")
    .map((tag) => ({ id: generatedObjectId("tag", tag), label: tag, slug: tag }));
