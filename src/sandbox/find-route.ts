import type { Operation } from "../api/operation.ts";

/** The operations of one path, by method. */
export interface Route {
  readonly operations: readonly Operation[];
  /** The methods, for the Allow header and preflights. */
  readonly allow: string;
}

export type FindRoute = (pathname: string) => Route | null;

/** Paths with fewer parameters come first: `large-trades/history` is not a trade's id. */
export function openRoutes(operations: readonly Operation[]): FindRoute {
  const routes = [...Map.groupBy(operations, ({ path }) => path)]
    .toSorted(([a], [b]) => a.split("{").length - b.split("{").length)
    .map(([path, served]) => ({ segments: path.split("/"), operations: served, allow: allowOf(served) }));
  return (pathname) => {
    const segments = pathname.split("/");
    return routes.find((route) => matches(route.segments, segments)) ?? null;
  };
}

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]));

function allowOf(operations: readonly Operation[]): string {
  const methods = operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return [...methods, "OPTIONS"].join(", ");
}
