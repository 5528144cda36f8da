import type { Operation } from "../../api/operation.ts";
import { cancelTraderExport } from "./cancel-trader-export.ts";
import { downloadTraderExport } from "./download-trader-export.ts";
import { getTraderExportSnapshot } from "./get-trader-export-snapshot.ts";
import { getTraderExportStatus } from "./get-trader-export-status.ts";
import { submitTraderExport } from "./submit-trader-export.ts";

/** Exports of one trader. */
export const EXPORT_OPERATIONS: readonly Operation[] = [
  getTraderExportSnapshot,
  submitTraderExport,
  getTraderExportStatus,
  cancelTraderExport,
  downloadTraderExport,
];
