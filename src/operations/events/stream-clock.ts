/** Time and chance, as a stream uses them. */
export interface StreamClock {
  now(): number;
  /** 0 to 1, exclusive. */
  random(): number;
  /** Runs something every so many milliseconds. @returns what ends it */
  every(ms: number, run: () => void): () => void;
}
