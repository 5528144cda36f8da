import type { Bundle } from "../bundles.ts";

/** The product as it is bundled, but that no operation lets its answers be served again: what is measured then is the handler. */
export function withoutCachedAnswers(bundle: Bundle): Bundle {
  // A number, or a constant's name: then only after `conditional`, as declarations have it, for elsewhere a name is one that is read into.
  const script = bundle.script
    .replaceAll(/\bcacheSeconds:\s*\d[\d.e]*/g, "cacheSeconds:0")
    .replaceAll(/(\bconditional:\s*[!\w]+,\s*cacheSeconds:\s*)[\w$]+/g, "$10");
  if (script === bundle.script) throw new Error("The bundle declares no cacheSeconds that could be taken away.");
  return { ...bundle, script };
}
