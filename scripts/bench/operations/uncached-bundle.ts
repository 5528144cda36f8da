import type { Bundle } from "../bundles.ts";

/** The product as it is bundled, but that no operation lets its answers be served again: what is measured then is the handler. */
export function withoutCachedAnswers(bundle: Bundle): Bundle {
  const script = bundle.script.replaceAll(/\bcacheSeconds:\d[\d.e]*/g, "cacheSeconds:0");
  if (script === bundle.script) throw new Error("The bundle declares no cacheSeconds that could be taken away.");
  return { ...bundle, script };
}
