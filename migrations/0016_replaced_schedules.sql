ALTER TABLE `transactions` ADD `replaces` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `replaced_by` integer;