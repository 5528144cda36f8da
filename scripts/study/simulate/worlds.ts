import { ASSUMPTIONS } from "./assumptions.ts";

type Facts = {
  readonly [Name in keyof typeof ASSUMPTIONS]: (typeof ASSUMPTIONS)[Name] extends readonly number[]
    ? readonly [number, number]
    : number;
};

/** A generated world: the assumptions, and the ways in which it differs from them in form. */
export interface World extends Facts {
  /** Whether traders differ in skill; without, no trader deserves an S or an A. */
  readonly hasSkill: boolean;
  /** Adds a price's error to the price itself instead of to its log odds. */
  readonly isErrorAdditive: boolean;
  /** Whether all herd traders see the same noise, so that they err together. */
  readonly isHerdNoiseShared: boolean;
  /** Whether every trader without skill backs one side in all markets of a story. */
  readonly isStorySided: boolean;
  /** Deviation of the logarithm of an ordinary trader's spread of sight; 0 for normal tails. */
  readonly sightTail: number;
  /** Share of traders that buy both sides without profit. */
  readonly washerShare: number;
  /** What is left of a trader's sight at a time, of one that trades since `from`; seconds. */
  readonly sightFactor: (at: number, from: number) => number;
}

const DAY = 86_400;
const HALVING_DAYS = 90;
const FLIP_DAY = 180;
const END_DAYS = 120;

const base: World = {
  ...ASSUMPTIONS,
  hasSkill: true,
  isErrorAdditive: false,
  isHerdNoiseShared: false,
  isStorySided: false,
  sightTail: 0,
  washerShare: 0,
  sightFactor: () => 1,
};

/** The worlds that a method has to hold in. Each changes one assumption of `base`. */
export const WORLDS = {
  base,
  "misprice-half": { ...base, MISPRICING: base.MISPRICING / 2 },
  "misprice-double": { ...base, MISPRICING: base.MISPRICING * 2 },
  "no-skill": { ...base, hasSkill: false, sightFactor: () => 0 },
  correlated: { ...base, EVENT_SHARED: 0.9, STORY_EVENTS: 0.6, STORY_SHARED: 0.9 },
  /** The same with traders that back one side of a whole night: what one event decides, all their purchases share. */
  "one-sided": { ...base, EVENT_SHARED: 0.9, STORY_EVENTS: 0.6, STORY_SHARED: 0.9, isStorySided: true },
  "few-bets": { ...base, ORDERS_DEVIATION: 1, FAVOURITE_SHARE: 0, LOTTERY_SHARE: 0.05 },
  "heavy-tails": { ...base, sightTail: 1 },
  decay: { ...base, sightFactor: (at, from) => 2 ** (-Math.max(0, at - from) / (HALVING_DAYS * DAY)) },
  /** Skill ends, and its trader trades on. */
  "skill-ends": { ...base, sightFactor: (at, from) => (at - from < END_DAYS * DAY ? 1 : 0) },
  flip: { ...base, sightFactor: (at) => (at < FLIP_DAY * DAY ? 1 : -1) },
  "additive-error": { ...base, isErrorAdditive: true },
  wash: { ...base, washerShare: 0.05 },
  makers: { ...base, MAKER_SHARE: 0.03 },
  "favourites-overpriced": { ...base, LONGSHOT_STRETCH: 1 / base.LONGSHOT_STRETCH },
  "rare-skill": {
    ...base,
    SKILLED_SHARE: 0.003,
    SKILLED_SIGHT: [0.8, 0.95],
    ORDINARY_SIGHT_DEVIATION: 0,
    HERD_SIGHT: 0,
  },
  /** What most games are like: the line hardly moves before the kickoff, and the game decides. */
  "quiet-games": { ...base, GAME_LAST_NEWS: 0.9 },
  herding: { ...base, HERD_SHARE: 0.4, isHerdNoiseShared: true },
} as const satisfies Record<string, World>;

export type WorldName = keyof typeof WORLDS;

export const isWorldName = (name: string): name is WorldName => Object.hasOwn(WORLDS, name);
