import { freePort } from "../../../scripts/services/free-port.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";

interface SharedProduct {
  readonly product: StartedProduct;
  readonly dataDir: string;
}

let shared: SharedProduct | null = null;

/** Starts the one product of the suites in this folder. */
export async function startSharedProduct(): Promise<void> {
  const dataDir = await makeDataDir();
  try {
    const args = ["--source", "simulate", "--seed", "1", "--port", String(await freePort())];
    shared = { product: await startProduct(dataDir, args), dataDir };
  } catch (error) {
    await removeDataDir(dataDir);
    throw error;
  }
}

export async function stopSharedProduct(): Promise<void> {
  if (shared === null) return;
  await shared.product.stop();
  await removeDataDir(shared.dataDir);
}

/** The started product. A suite adds accounts of its own and leaves the rest as it finds it. */
export function sharedProduct(): SharedProduct {
  if (shared === null) throw new Error("The shared product has not been started.");
  return shared;
}
