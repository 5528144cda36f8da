import { locationOf } from "../../config.ts";
import type { Env } from "../../env.ts";

/** The part of a namespace that finds objects. */
type Objects<Stub> = { idFromName(name: string): DurableObjectId } & {
  get(id: DurableObjectId, options?: DurableObjectNamespaceGetDurableObjectOptions): Stub;
};

/**
 * The object with a name, created beside the databases when it does not exist. An object never moves, so the
 * first call decides its location.
 */
export const findObject = <Stub>(objects: Objects<Stub>, name: string, env: Pick<Env, "REGION">): Stub =>
  objects.get(objects.idFromName(name), locationOf(env));
