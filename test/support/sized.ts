/** Whether random tests run at full length: TEST_SIZE=full, the form of `npm run test:full`. */
const isFull = process.env["TEST_SIZE"] === "full";

/** The size of a random or large test: short in each run, full for a nightly one. Node only. */
export const sized = ({ short, full }: { readonly short: number; readonly full: number }): number =>
  isFull ? full : short;
