import type { Operation } from "../../api/operation.ts";
import { cancelWhaleDataset } from "./cancel-whale-dataset.ts";
import { downloadWhaleDataset } from "./download-whale-dataset.ts";
import { getWhaleDatasetStatus } from "./get-whale-dataset-status.ts";
import { submitWhaleDataset } from "./submit-whale-dataset.ts";

/** Datasets of large trades. */
export const DATASET_OPERATIONS: readonly Operation[] = [
  submitWhaleDataset,
  getWhaleDatasetStatus,
  cancelWhaleDataset,
  downloadWhaleDataset,
];
