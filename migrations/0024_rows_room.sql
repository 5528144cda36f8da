-- Room for the new version of a row whose fee, role or grade changes after it was written: in its own page it writes to no index.
ALTER TABLE "ledger_entries" SET (fillfactor = 95);--> statement-breakpoint
ALTER TABLE "traders" SET (fillfactor = 80);
