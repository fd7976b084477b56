CREATE TABLE `sign_in_links` (
	`digest` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_by_user` ON `sign_in_links` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`property_id` text,
	`portfolio` text,
	`active` integer DEFAULT true NOT NULL,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('viewer', 'cashier', 'manager', 'admin')),
	CONSTRAINT "users_place" CHECK(("users"."property_id" IS NULL OR "users"."portfolio" IS NULL) AND ("users"."role" = 'admin' OR "users"."property_id" IS NOT NULL OR "users"."portfolio" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `initiator` text DEFAULT 'property' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `return_url` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `bank_asked_at_ms` integer;--> statement-breakpoint
CREATE INDEX `transactions_by_amount` ON `transactions` (`property_id`,`amount_minor`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `transactions_at_bank` ON `transactions` (`due_at_ms`) WHERE "transactions"."status" = 'Processing' AND "transactions"."bank_asked_at_ms" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `refund_limit_minor` integer;--> statement-breakpoint
CREATE INDEX `bookings_by_confirmation` ON `bookings` (`property_id`,`pms_confirmation_number`) WHERE "bookings"."pms_confirmation_number" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_by_last4` ON `cards` (`property_id`,`last4`,`created_at_ms`);