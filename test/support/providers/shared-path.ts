import { fileURLToPath } from "node:url";

/** The folder of recorded data, SHARED_DIR or `shared` beside the repository. It may be absent. */
const SHARED_DIR = process.env["SHARED_DIR"] ?? fileURLToPath(new URL("../../../../shared", import.meta.url));

/** The path of a file or folder outside the repository. Tests find such files through this function only. */
export const sharedPath = (path: string): string => `${SHARED_DIR}/${path}`;
