/**
 * Every measurement: the names of its labels and of its numbers. Their order is that of the columns in Analytics Engine
 * (`blob2`… and `double1`…), so new ones are appended. docs/operations.md has the queries.
 */
export const MEASUREMENTS = {
  /** One answered HTTP request. */
  request: { labels: ["operation", "status", "cache", "reason"], numbers: ["duration_ms"] },
  /** One run of a background job: idle, more (it continues at once) or failed. */
  job: { labels: ["job", "outcome"], numbers: ["duration_ms"] },
  /** One queue message that was taken, with its age since it was sent. */
  message: { labels: ["queue"], numbers: ["age_ms", "attempts"] },
  /** One message that failed every attempt. */
  dead_letter: { labels: ["queue"], numbers: [] },
  /** One attempt to deliver a webhook. */
  delivery: { labels: ["outcome"], numbers: [] },
  /** Once a minute: ages of what should be recent, and how great each may be. What never happened has no age. */
  age: { labels: ["of"], numbers: ["age_ms", "allowed_ms"] },
  /** One connection that a stream's shard was asked to open: its status; joined connections are `101`. */
  stream_join: { labels: ["status"], numbers: ["duration_ms"] },
  /** Once a minute: sessions of Postgres that wait for a lock, and how long the first of them has waited. */
  lock_wait: { labels: [], numbers: ["longest_ms", "sessions"] },
} as const satisfies Record<string, { readonly labels: readonly string[]; readonly numbers: readonly string[] }>;

type Measurements = typeof MEASUREMENTS;
export type MeasurementName = keyof Measurements;
type Fields<Name extends MeasurementName> = Readonly<Record<Measurements[Name]["labels"][number], string>> &
  Readonly<Record<Measurements[Name]["numbers"][number], number>>;

/** The name of a measurement and its fields. */
export type Measurement = {
  [Name in MeasurementName]: readonly [name: Name, fields: Fields<Name>];
}[MeasurementName];

/** Takes measurements. Never throws and never waits: a lost measurement changes nothing else. */
export interface Metrics {
  write(...measurement: Measurement): void;
}

/** A measurement in the order of its declaration. */
export interface Point {
  readonly name: MeasurementName;
  readonly labels: readonly string[];
  readonly numbers: readonly number[];
}

export function pointOf(...[name, fields]: Measurement): Point {
  const { labels, numbers } = MEASUREMENTS[name];
  const values: Readonly<Record<string, string | number>> = fields;
  return { name, labels: labels.map((key) => String(values[key])), numbers: numbers.map((key) => Number(values[key])) };
}
