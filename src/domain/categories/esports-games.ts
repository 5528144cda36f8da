/** An esports title. The key is stable; the name is for display. */
export interface EsportsGame {
  readonly seriesSlug: string;
  readonly name: string;
}

/** Titles with the provider's tag slugs of each. The first match in this order wins. */
const GAMES: readonly (EsportsGame & { readonly tags: readonly string[] })[] = [
  { seriesSlug: "league-of-legends", name: "LoL", tags: ["league-of-legends", "lol"] },
  { seriesSlug: "counter-strike", name: "CS2", tags: ["counter-strike", "counter-strike-2", "cs2", "csgo"] },
  { seriesSlug: "dota-2", name: "Dota 2", tags: ["dota-2", "dota2"] },
  { seriesSlug: "valorant", name: "Valorant", tags: ["valorant"] },
  { seriesSlug: "call-of-duty", name: "Call of Duty", tags: ["call-of-duty"] },
  { seriesSlug: "overwatch", name: "Overwatch", tags: ["overwatch"] },
  { seriesSlug: "rocket-league", name: "Rocket League", tags: ["rocket-league"] },
  { seriesSlug: "rainbow-six-siege", name: "Rainbow Six Siege", tags: ["rainbow-six-siege"] },
  { seriesSlug: "mobile-legends-bang-bang", name: "Mobile Legends", tags: ["mobile-legends-bang-bang"] },
  { seriesSlug: "starcraft-2", name: "StarCraft II", tags: ["starcraft-2"] },
  { seriesSlug: "honor-of-kings", name: "Honor of Kings", tags: ["honor-of-kings"] },
];

/** The title of a market with these tag slugs; null when no tag identifies one. */
export function esportsGameOf(tags: readonly string[]): EsportsGame | null {
  const slugs = new Set(tags.map((tag) => tag.toLowerCase()));
  const game = GAMES.find((candidate) => candidate.tags.some((tag) => slugs.has(tag)));
  return game === undefined ? null : { seriesSlug: game.seriesSlug, name: game.name };
}
