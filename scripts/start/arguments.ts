import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Source =
  | { readonly kind: "auto" }
  | { readonly kind: "live" }
  | { readonly kind: "simulate"; readonly seed: number }
  | { readonly kind: "replay"; readonly dir: string; readonly speed: number | "max" };

export interface StartArguments {
  readonly source: Source;
  readonly port: number;
  /** The directory of all data of this start. */
  readonly dataDir: string;
  readonly fresh: boolean;
  /** The directory of a recording of what is read from the provider; null for none. */
  readonly recordIn: string | null;
}

/** A mistake in the arguments or the environment, as one sentence. */
export class StartError extends Error {
  override name = "StartError";
}

export interface StartDefaults {
  readonly source: "auto" | "simulate";
  readonly dataDir: string;
}

/** @throws StartError */
export function parseStartArguments(
  argv: readonly string[],
  defaults: StartDefaults = { source: "auto", dataDir: ".local" },
): StartArguments {
  const { values, positionals } = parse(argv);
  return {
    source: parseSource(values.source ?? defaults.source, positionals, values),
    port: wholeNumber("--port", values.port ?? "8787", 1, 65_535),
    dataDir: resolve(values.data ?? defaults.dataDir),
    fresh: values.fresh ?? false,
    recordIn: values.record === undefined ? null : resolve(values.record),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        source: { type: "string" },
        speed: { type: "string" },
        seed: { type: "string" },
        port: { type: "string" },
        data: { type: "string" },
        fresh: { type: "boolean" },
        record: { type: "string" },
      },
    });
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
}

function parseSource(kind: string, positionals: readonly string[], values: { speed?: string; seed?: string }): Source {
  if (kind !== "replay" && positionals.length > 0) throw new StartError(`Not understood: ${positionals.join(" ")}.`);
  if (kind !== "replay" && values.speed !== undefined) throw new StartError("--speed goes with --source replay.");
  if (kind !== "simulate" && values.seed !== undefined) throw new StartError("--seed goes with --source simulate.");
  switch (kind) {
    case "auto":
    case "live":
      return { kind };
    case "simulate":
      return { kind, seed: wholeNumber("--seed", values.seed ?? "1", 0, 2 ** 31) };
    case "replay": {
      const [dir, ...rest] = positionals;
      if (dir === undefined || rest.length > 0)
        throw new StartError("--source replay takes one directory of recorded files.");
      if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
        throw new StartError(`There is no directory ${dir} to replay.`);
      return { kind, dir: resolve(dir), speed: parseSpeed(values.speed ?? "max") };
    }
    default:
      throw new StartError(`--source is live, replay DIR, simulate or auto, not ${kind}.`);
  }
}

function parseSpeed(text: string): number | "max" {
  if (text === "max") return "max";
  const speed = Number(text);
  if (!(speed > 0 && Number.isFinite(speed))) throw new StartError(`--speed is max or a positive number, not ${text}.`);
  return speed;
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new StartError(`${name} is a whole number from ${min} to ${max}, not ${text}.`);
  return value;
}
