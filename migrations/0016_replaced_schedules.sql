ALTER TABLE `transactions` ADD `replaces` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `replaced_by` integer;--> statement-breakpoint
CREATE INDEX `transactions_warned` ON `transactions` (`created_at_ms`) WHERE "transactions"."warnings" <> '[]';