CREATE TABLE `card_entries` (
	`attempt` text PRIMARY KEY NOT NULL,
	`link_id` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `card_entries_by_link` ON `card_entries` (`link_id`,`at_ms`);--> statement-breakpoint
CREATE TABLE `card_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text,
	`email` text NOT NULL,
	`status` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "card_requests_status" CHECK("card_requests"."status" IN ('Open', 'Completed', 'Superseded'))
);
--> statement-breakpoint
CREATE INDEX `card_requests_by_booking` ON `card_requests` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `card_requests_by_email` ON `card_requests` (`property_id`,`email`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `local_mailbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `cards` ADD `request_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `cards_request` ON `cards` (`request_id`) WHERE "cards"."request_id" IS NOT NULL;--> statement-breakpoint
-- A request for a card is used once: what has its card, or was superseded, takes no other.
CREATE TRIGGER card_requests_are_final BEFORE UPDATE OF status ON card_requests
WHEN OLD.status <> 'Open'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
