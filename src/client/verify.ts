export { verifyFile, type FileToVerify } from "./proofs/verify-file.ts";
export { verifyPick, verifyRow } from "./proofs/verify-row.ts";
export { ProofError } from "./proofs/open-manifest.ts";
