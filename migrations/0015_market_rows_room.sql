-- Room for the rows that the walk of open markets writes again every five minutes, so that it writes to no index.
ALTER TABLE "markets" SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE "outcomes" SET (fillfactor = 80);
