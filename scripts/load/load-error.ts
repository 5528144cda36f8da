/** A mistake of the operator, or an archive that cannot be loaded, as one sentence. */
export class LoadError extends Error {
  override name = "LoadError";
}
