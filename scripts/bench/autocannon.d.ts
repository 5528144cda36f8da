/** The part of autocannon that the benchmark uses; the package ships no types. */
declare module "autocannon" {
  interface Options {
    url: string;
    /** Sent in turn by each connection. */
    requests: { method?: "POST"; headers: Record<string, string>; body?: string }[];
    connections: number;
    duration: number;
    /** Requests a second of all connections together; without it as many as are answered. */
    overallRate?: number;
  }
  interface Result {
    requests: { average: number };
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
    timeouts: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
