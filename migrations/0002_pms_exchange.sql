-- (The tables inventory, nightly_rates and outbox are WITHOUT ROWID: they are reached by their keys, and each saves one
-- written row that way.)
CREATE TABLE `inventory` (
	`property_id` text NOT NULL,
	`room_type_code` text NOT NULL,
	`day` text NOT NULL,
	`available` integer NOT NULL,
	PRIMARY KEY(`property_id`, `room_type_code`, `day`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `nightly_rates` (
	`property_id` text NOT NULL,
	`room_type_code` text NOT NULL,
	`rate_type_code` text NOT NULL,
	`day` text NOT NULL,
	`value_minor` integer,
	`min_los` integer,
	`closed` integer,
	`closed_to_arrival` integer,
	`closed_to_departure` integer,
	PRIMARY KEY(`property_id`, `room_type_code`, `rate_type_code`, `day`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "nightly_rates_value" CHECK("nightly_rates"."value_minor" IS NULL OR "nightly_rates"."value_minor" >= 0),
	CONSTRAINT "nightly_rates_stay" CHECK("nightly_rates"."min_los" IS NULL OR "nightly_rates"."min_los" >= 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `outbox` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`number` integer NOT NULL,
	`message_id` text NOT NULL,
	`message_type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`last_error` text,
	`created_at_ms` integer NOT NULL,
	`settled_at_ms` integer,
	PRIMARY KEY(`property_id`, `booking_reference`, `number`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outbox_status" CHECK("outbox"."status" IN ('Pending', 'Confirmed', 'Dead', 'Dismissed')),
	CONSTRAINT "outbox_due" CHECK("outbox"."due_at_ms" IS NULL OR "outbox"."status" = 'Pending')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `outbox_unsettled` ON `outbox` (`property_id`,`due_at_ms`) WHERE "outbox"."status" IN ('Pending', 'Dead');--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_message` ON `outbox` (`message_id`);--> statement-breakpoint
CREATE TABLE `room_catalogues` (
	`property_id` text PRIMARY KEY NOT NULL,
	`room_types` text NOT NULL,
	`fetched_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `properties_by_pms_user` ON `properties` (`pms_username`);--> statement-breakpoint
-- What was delivered or given up stays so.
CREATE TRIGGER outbox_is_final BEFORE UPDATE OF status ON outbox
WHEN OLD.status IN ('Confirmed', 'Dismissed')
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
-- Every try sends the same message.
CREATE TRIGGER outbox_content_is_fixed BEFORE UPDATE OF property_id, booking_reference, number, message_id, message_type, payload ON outbox
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
