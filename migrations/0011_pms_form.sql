ALTER TABLE `bookings` ADD `eta` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `notes` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `guest` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `from_pms` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `refusals` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `answered_at_ms` integer;--> statement-breakpoint
ALTER TABLE `properties` ADD `bookings_from_pms` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `channel_code` text;