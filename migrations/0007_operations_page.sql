CREATE TABLE `ended_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `export_runs_unfinished` ON `export_runs` (`started_at_ms`) WHERE "export_runs"."status" <> 'Complete';--> statement-breakpoint
CREATE INDEX `outbox_dead` ON `outbox` (`message_id`) WHERE "outbox"."status" = 'Dead';--> statement-breakpoint
CREATE INDEX `outbox_dead_of_property` ON `outbox` (`property_id`,`message_id`) WHERE "outbox"."status" = 'Dead';--> statement-breakpoint
CREATE INDEX `refunds_unknown` ON `refunds` (`created_at_ms`) WHERE "refunds"."status" = 'Processing' AND "refunds"."inquiries" > 0;--> statement-breakpoint
CREATE INDEX `transactions_scheduled` ON `transactions` (`due_at_ms`,`currency`,`amount_minor`) WHERE "transactions"."status" = 'Pending';--> statement-breakpoint
CREATE INDEX `transactions_retried` ON `transactions` (`asked_at_ms`) WHERE "transactions"."status" = 'Pending' AND "transactions"."attempts" > 0;--> statement-breakpoint
CREATE INDEX `transactions_unknown` ON `transactions` (`asked_at_ms`) WHERE "transactions"."status" = 'Processing' AND "transactions"."inquiries" > 0;--> statement-breakpoint
CREATE INDEX `transactions_settled_later` ON `transactions` (`settled_at_ms`) WHERE "transactions"."settled_at_ms" IS NOT NULL AND ("transactions"."kind" <> 'charge' OR "transactions"."inquiries" > 0);