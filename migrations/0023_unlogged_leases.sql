-- Leases end within minutes, and work whose lease is lost is found and enqueued again: they need no write-ahead log.
ALTER TABLE "work_leases" SET UNLOGGED;
