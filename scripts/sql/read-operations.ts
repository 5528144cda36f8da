import type { Operation } from "../../src/api/operation.ts";
import { API_OPERATIONS } from "../../src/operations/index.ts";

const isBatch = (operation: Operation) => operation.kind === "single" && operation.batchUnits !== undefined;

/** The operations that change nothing for their caller. Streams are not listed: they never end. */
export const READ_OPERATIONS: readonly Operation[] = API_OPERATIONS.filter(
  (operation) => operation.kind !== "stream" && (operation.method === "get" || isBatch(operation)),
);

/** The names, one per line, with method and path. */
export function listReadOperations(): string {
  const width = Math.max(...READ_OPERATIONS.map(({ id }) => id.length));
  return READ_OPERATIONS.map(({ id, method, path }) => `${id.padEnd(width)}  ${method.toUpperCase()} ${path}`).join(
    "\n",
  );
}

/** The read operation that serves a path; null for any other path. */
export function findReadOperation(pathname: string): Operation | null {
  const parameters = ({ path }: Operation) => path.split("{").length;
  const [found = null] = READ_OPERATIONS.filter(({ path }) => servesPath(path, pathname)).toSorted(
    (a, b) => parameters(a) - parameters(b),
  );
  return found;
}

function servesPath(path: string, pathname: string): boolean {
  const [declared, actual] = [path.split("/"), pathname.split("/")];
  return (
    declared.length === actual.length &&
    declared.every((segment, index) => segment.startsWith("{") || segment === actual[index])
  );
}
