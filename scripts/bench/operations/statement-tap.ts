import { createServer } from "node:http";

export interface CapturedStatement {
  readonly query: string;
  readonly params: readonly (string | null)[];
}

export interface StatementTap {
  /** The tap's URL; it forwards to the real endpoint of SQL over HTTP. */
  readonly url: string;
  /** The statements that passed while `work` ran. */
  capture<T>(work: () => Promise<T>): Promise<{ result: T; statements: readonly CapturedStatement[] }>;
  stop(): Promise<void>;
}

/** The meter and the credential lookup run statements of their own on any request; they are not captured. */
const IS_ADMISSION = /\busage_days\b|\bapi_keys\b/;

/** Forwards statements and records them. Timed requests bypass it. */
export async function startStatementTap(target: string): Promise<StatementTap> {
  let captured: CapturedStatement[] | null = null;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const sent = JSON.parse(body.toString()) as CapturedStatement | { queries: CapturedStatement[] };
    captured?.push(...("queries" in sent ? sent.queries : [sent]).filter(({ query }) => !IS_ADMISSION.test(query)));
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name.startsWith("neon-")));
    const forwarded = await fetch(target, { method: "POST", body, headers: headers as Record<string, string> });
    response.writeHead(forwarded.status, { "content-type": "application/json" });
    response.end(Buffer.from(await forwarded.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/sql`,
    async capture(work) {
      const statements: CapturedStatement[] = [];
      captured = statements;
      try {
        return { result: await work(), statements };
      } finally {
        captured = null;
      }
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
