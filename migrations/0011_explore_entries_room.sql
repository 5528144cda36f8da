-- Room for the rows that an update of removed_in copies, so that it writes to no index.
ALTER TABLE "explore_entries" SET (fillfactor = 80);
