declare module "workerd" {
  /** The path of the binary for this platform. */
  const path: unknown;
  export default path;
}
