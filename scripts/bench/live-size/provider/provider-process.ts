import { startLiveProvider } from "./live-server.ts";
import type { ProviderRequest, ProviderReply } from "./provider-child.ts";

// In its own process, because building a page takes time that would delay the other services.
process.on("disconnect", () => process.exit(0));
const { size, historyEndMs } = JSON.parse(process.argv[2] ?? "null");
const provider = await startLiveProvider(size, historyEndMs);
const reply = (message: ProviderReply) => process.send?.(message);
// The cast is safe: the parent sends only these messages.
process.on("message", (message) => {
  const request = message as ProviderRequest;
  switch (request.kind) {
    case "begin":
      return provider.begin(request.seconds);
    case "refuse":
      return provider.refuse(request.isRefusing);
    case "requests":
      return reply({ kind: "requests", requests: provider.readRequests() });
    case "observations":
      return reply({ kind: "observations", observations: provider.readObservations() });
  }
});
reply({ kind: "ready", port: provider.port });
