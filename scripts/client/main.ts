import { buildClient, MAX_INDEX_BYTES } from "./build-client.ts";

// Builds the client as a package: `npm run client`.
const sizes = await buildClient(process.argv[2] ?? "dist/client");
for (const [entry, bytes] of Object.entries(sizes)) console.log(`${entry}.js: ${bytes} bytes after gzip`);
if ((sizes["index"] ?? Infinity) > MAX_INDEX_BYTES) {
  console.error(`index.js may have ${MAX_INDEX_BYTES} bytes`);
  process.exitCode = 1;
}
