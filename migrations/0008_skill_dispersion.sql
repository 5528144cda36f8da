ALTER TABLE "skill_populations" ADD COLUMN "dispersion" double precision NOT NULL;--> statement-breakpoint
CREATE INDEX "trader_skill_due" ON "trader_skill" USING btree ("trader_id") WHERE is_due;