CREATE TABLE `recoveries` (
	`transaction_id` integer PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`cause` text NOT NULL,
	`charge_at_ms` integer NOT NULL,
	`card_token` text NOT NULL,
	`told_card` text,
	`asked` integer DEFAULT 0 NOT NULL,
	`asked_for_cause` integer DEFAULT 0 NOT NULL,
	`first_asked_at_ms` integer,
	`deadline_at_ms` integer,
	`mail_since_ms` integer,
	`mail_failures` integer DEFAULT 0 NOT NULL,
	`answer_card` text,
	`flagged_at_ms` integer,
	`due_at_ms` integer,
	`ended_at_ms` integer,
	`ended_as` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "recoveries_ended" CHECK(("recoveries"."ended_at_ms" IS NULL) = ("recoveries"."ended_as" IS NULL)),
	CONSTRAINT "recoveries_done" CHECK("recoveries"."ended_at_ms" IS NULL OR "recoveries"."due_at_ms" IS NULL),
	CONSTRAINT "recoveries_asked" CHECK("recoveries"."asked_for_cause" BETWEEN 0 AND "recoveries"."asked" AND ("recoveries"."asked_for_cause" = 0 OR "recoveries"."deadline_at_ms" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `recoveries_by_booking` ON `recoveries` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `recoveries_by_time` ON `recoveries` (`property_id`,`charge_at_ms`,`transaction_id`) WHERE "recoveries"."ended_as" IS NULL OR "recoveries"."ended_as" = 'unanswered';--> statement-breakpoint
CREATE INDEX `recoveries_due` ON `recoveries` (`due_at_ms`) WHERE "recoveries"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `recoveries_by_card` ON `recoveries` (`card_token`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `replaces_charge` integer;--> statement-breakpoint
CREATE INDEX `transactions_replacing` ON `transactions` (`replaces_charge`) WHERE "transactions"."replaces_charge" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `card_recovery` text;--> statement-breakpoint
CREATE INDEX `cards_by_gateway_token` ON `cards` (`gateway_token`);