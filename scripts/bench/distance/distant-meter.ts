import type { Bundle } from "../bundles.ts";

/** Says how often the meter was asked for a request. Requests are sent one after the other. */
export const METER_HEADER = "bench-meter-calls";

/** The product with a delay before each call of the meter, which runs in the same process. */
export const withDistantMeter = ({ script, texts, scripts }: Bundle, meterMs: number): Bundle => ({
  script: `
import product from "./product.js";
export * from "./product.js";

let calls = 0;
const distant = (objects) => ({
  idFromName: (name) => objects.idFromName(name),
  get: (id, options) => ({
    admitCaller: async (call) => {
      calls++;
      await scheduler.wait(${meterMs});
      return objects.get(id, options).admitCaller(call);
    },
  }),
});

export default {
  ...product,
  async fetch(request, env, context) {
    calls = 0;
    const response = await product.fetch(request, { ...env, USER_METER: distant(env.USER_METER) }, context);
    const headers = new Headers(response.headers);
    headers.set("${METER_HEADER}", String(calls));
    return new Response(response.body, { status: response.status, headers });
  },
};
`,
  texts,
  scripts: { ...scripts, "product.js": script },
});
