ALTER TABLE `transactions` ADD `initiator` text DEFAULT 'property' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `return_url` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `bank_asked_at_ms` integer;--> statement-breakpoint
CREATE INDEX `transactions_at_bank` ON `transactions` (`due_at_ms`) WHERE "transactions"."status" = 'Processing' AND "transactions"."bank_asked_at_ms" IS NOT NULL;