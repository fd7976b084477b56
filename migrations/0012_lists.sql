ALTER TABLE `transactions` ADD `changed_at_ms` integer;--> statement-breakpoint
CREATE INDEX `transactions_by_creation` ON `transactions` (`property_id`,`purpose`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `transactions_by_status` ON `transactions` (`property_id`,`status`,`created_at_ms`) WHERE "transactions"."status" NOT IN ('Processing', 'Accepted');--> statement-breakpoint
CREATE INDEX `transactions_changed_later` ON `transactions` (`property_id`,`changed_at_ms`) WHERE "transactions"."changed_at_ms" > "transactions"."created_at_ms" + 60000;--> statement-breakpoint
CREATE INDEX `applications_by_creation` ON `applications` (`property_id`,`created_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `applications_by_status` ON `applications` (`property_id`,`current_status`);--> statement-breakpoint
CREATE INDEX `applications_by_arrival` ON `applications` (`property_id`,`arrival`);--> statement-breakpoint
CREATE INDEX `applications_by_change` ON `applications` (`property_id`,`updated_at_ms`);--> statement-breakpoint
CREATE INDEX `applications_by_email` ON `applications` (`property_id`,lower("email"));--> statement-breakpoint
CREATE INDEX `bookings_by_creation` ON `bookings` (`property_id`,`created_at_ms`,`reference`);--> statement-breakpoint
CREATE INDEX `bookings_by_arrival` ON `bookings` (`property_id`,`arrival`);--> statement-breakpoint
CREATE INDEX `bookings_by_change` ON `bookings` (`property_id`,`updated_at_ms`);--> statement-breakpoint
CREATE INDEX `bookings_by_email` ON `bookings` (`property_id`,lower("email"));--> statement-breakpoint
CREATE INDEX `bookings_by_name` ON `bookings` (`property_id`,lower("last_name"));--> statement-breakpoint
CREATE INDEX `bookings_cancelled` ON `bookings` (`property_id`,`created_at_ms`,`reference`) WHERE "bookings"."status" = 'cancelled';--> statement-breakpoint
CREATE INDEX `disputes_by_change` ON `disputes` (`property_id`,`learnt_at_ms`);--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`property_id`,`opened_at_ms`) WHERE "disputes"."status" IN ('needs_response', 'under_review');--> statement-breakpoint
CREATE INDEX `refunds_by_change` ON `refunds` (`property_id`,`learnt_at_ms`) WHERE "refunds"."learnt_at_ms" IS NOT NULL;