import type { NonceSealing } from "../../../src/ingest/picks/commitment-nonce.ts";

/** Equal nonces in every run, so that two runs end in equal databases. */
export const TEST_SEALING: NonceSealing = {
  keys: { current: "the sealing secret of the tests, 32 characters", previous: [] },
  random: (bytes) => bytes.fill(0x2b),
};
