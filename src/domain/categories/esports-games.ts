/** An esports title. The key is stable; the name is for display. */
export interface EsportsGame {
  readonly seriesSlug: string;
  readonly name: string;
}

/** Titles with the provider's tag slugs of each. The first match in this order wins. */
const GAMES: readonly { readonly game: EsportsGame; readonly tags: readonly string[] }[] = [
  { game: { seriesSlug: "league-of-legends", name: "LoL" }, tags: ["league-of-legends", "lol"] },
  { game: { seriesSlug: "counter-strike", name: "CS2" }, tags: ["counter-strike", "counter-strike-2", "cs2", "csgo"] },
  { game: { seriesSlug: "dota-2", name: "Dota 2" }, tags: ["dota-2", "dota2"] },
  { game: { seriesSlug: "valorant", name: "Valorant" }, tags: ["valorant"] },
  { game: { seriesSlug: "call-of-duty", name: "Call of Duty" }, tags: ["call-of-duty"] },
  { game: { seriesSlug: "overwatch", name: "Overwatch" }, tags: ["overwatch"] },
  { game: { seriesSlug: "rocket-league", name: "Rocket League" }, tags: ["rocket-league"] },
  { game: { seriesSlug: "rainbow-six-siege", name: "Rainbow Six Siege" }, tags: ["rainbow-six-siege"] },
  { game: { seriesSlug: "mobile-legends-bang-bang", name: "Mobile Legends" }, tags: ["mobile-legends-bang-bang"] },
  { game: { seriesSlug: "starcraft-2", name: "StarCraft II" }, tags: ["starcraft-2"] },
  { game: { seriesSlug: "honor-of-kings", name: "Honor of Kings" }, tags: ["honor-of-kings"] },
];

/** The title of a market with these tag slugs; null when no tag identifies one. One object per title. */
export function esportsGameOf(tags: readonly string[]): EsportsGame | null {
  const slugs = new Set(tags.map((tag) => tag.toLowerCase()));
  return GAMES.find((candidate) => candidate.tags.some((tag) => slugs.has(tag)))?.game ?? null;
}
