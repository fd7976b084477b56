ALTER TABLE `properties` ADD `clock_ahead_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `clock_stands_at_ms` integer;--> statement-breakpoint
CREATE INDEX `properties_with_moved_clock` ON `properties` (`id`) WHERE "properties"."clock_ahead_ms" > 0 OR "properties"."clock_stands_at_ms" IS NOT NULL;