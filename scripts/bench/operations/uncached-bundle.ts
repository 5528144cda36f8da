import type { Bundle } from "../bundles.ts";

/** The bundled product with every `cacheSeconds` set to 0, so that the measurement reaches the handler. */
export function withoutResponseCaching(bundle: Bundle): Bundle {
  // The value is a number, or the name of a constant. A name is replaced only after `conditional`, as in
  // declarations: elsewhere it is a destructuring target.
  const script = bundle.script
    .replaceAll(/\bcacheSeconds:\s*\d[\d.e]*/g, "cacheSeconds:0")
    .replaceAll(/(\bconditional:\s*[!\w]+,\s*cacheSeconds:\s*)[\w$]+/g, "$10");
  if (script === bundle.script) throw new Error("The bundle declares no cacheSeconds to replace.");
  return { ...bundle, script };
}
