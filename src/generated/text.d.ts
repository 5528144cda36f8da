/** A text file that the build carries along as a module of its own. */
declare module "*.txt" {
  const text: string;
  export default text;
}
