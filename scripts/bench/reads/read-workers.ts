import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compatibilityDate } from "../../compatibility-date.ts";
import { freePort } from "../../services/free-port.ts";
import { waitUntilReady, workerdBinary } from "../../workerd-process.ts";
import type { Bundle } from "../bundles.ts";
import { emptyCacheService } from "../empty-cache.ts";
import { objectBindings, objectNamespaces } from "../product-objects.ts";

export interface ReadWorkers {
  readonly product: string;
  readonly floor: string;
  stop(): Promise<void>;
}

/**
 * Runs the product and the bare route on one workerd, without local-development simulators: those pass every
 * outgoing request through another Worker, which costs more than the measured work. Reads need neither queue
 * nor bucket.
 *
 * @param parent directory on whose file system the objects store
 */
export async function startReadWorkers(
  product: Bundle,
  floor: Bundle,
  variables: Record<string, string>,
  parent: string = tmpdir(),
): Promise<ReadWorkers> {
  const directory = mkdtempSync(join(parent, "bench-workerd-"));
  const ports = { product: await freePort(), floor: await freePort() };
  const productModules = writeModules(directory, "product", product);
  const floorModules = writeModules(directory, "floor", floor);
  const bindings = Object.entries(variables).map(
    ([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`,
  );
  const objects = join(directory, "objects");
  mkdirSync(objects);
  writeFileSync(
    join(directory, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "product", worker = .product),
    (name = "floor", worker = .floor),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "objects", disk = (path = "${objects}", writable = true)),
    ${emptyCacheService()}
  ],
  sockets = [
    (name = "product", address = "127.0.0.1:${ports.product}", http = (), service = "product"),
    (name = "floor", address = "127.0.0.1:${ports.floor}", http = (), service = "floor")
  ]
);
const product :Workerd.Worker = (
  modules = [${productModules}],
  compatibilityDate = "${compatibilityDate()}",
  bindings = [${[...bindings, ...objectBindings()].join(", ")}],
  durableObjectNamespaces = [${objectNamespaces().join(", ")}],
  durableObjectStorage = (localDisk = "objects"),
  cacheApiOutbound = "cache"
);
const floor :Workerd.Worker = (
  modules = [${floorModules}],
  compatibilityDate = "${compatibilityDate()}",
  bindings = [${[...bindings, `(name = "BARE_OBJECT", durableObjectNamespace = "BareObject")`].join(", ")}],
  durableObjectNamespaces = [(className = "BareObject", uniqueKey = "bare", enableSql = true)],
  durableObjectStorage = (localDisk = "objects")
);
`,
  );
  const child = spawn(workerdBinary(), ["serve", join(directory, "config.capnp")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const urls = { product: `http://127.0.0.1:${ports.product}`, floor: `http://127.0.0.1:${ports.floor}` };
  await waitUntilReady(`${urls.product}/api/v1`);
  return {
    ...urls,
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Writes a bundle's modules. @returns their list in workerd's configuration language */
export function writeModules(directory: string, name: string, { script, texts, scripts }: Bundle): string {
  const files = [
    { as: "worker.js", kind: "esModule", contents: script },
    ...Object.entries(texts).map(([path, contents]) => ({ as: path, kind: "text", contents })),
    ...Object.entries(scripts).map(([path, contents]) => ({ as: path, kind: "esModule", contents })),
  ];
  return files
    .map(({ as, kind, contents }) => {
      const file = `${name}-${as.replaceAll("/", "-")}`;
      writeFileSync(join(directory, file), contents);
      return `(name = "${as}", ${kind} = embed "${file}")`;
    })
    .join(", ");
}
