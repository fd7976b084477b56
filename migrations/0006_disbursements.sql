CREATE TABLE `disbursement_items` (
	`property_id` text NOT NULL,
	`id` text NOT NULL,
	`disbursement_id` text NOT NULL,
	`gateway_transaction_id` text,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`currency` text NOT NULL,
	`gross_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`net_minor` integer NOT NULL,
	`three_ds_authenticated` integer NOT NULL,
	`effective_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`available_at_ms` integer NOT NULL,
	PRIMARY KEY(`property_id`, `id`),
	FOREIGN KEY (`property_id`,`disbursement_id`) REFERENCES `disbursements`(`property_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disbursement_items_net" CHECK("disbursement_items"."net_minor" = "disbursement_items"."gross_minor" - "disbursement_items"."fee_minor"),
	CONSTRAINT "disbursement_items_sign" CHECK(("disbursement_items"."category" <> 'sale' OR "disbursement_items"."gross_minor" > 0) AND ("disbursement_items"."category" <> 'refund' OR "disbursement_items"."gross_minor" < 0))
);
--> statement-breakpoint
CREATE INDEX `disbursement_items_by_disbursement` ON `disbursement_items` (`property_id`,`disbursement_id`);--> statement-breakpoint
CREATE TABLE `disbursements` (
	`property_id` text NOT NULL,
	`id` text NOT NULL,
	`gateway` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`gross_minor` integer DEFAULT 0 NOT NULL,
	`fee_minor` integer DEFAULT 0 NOT NULL,
	`net_minor` integer DEFAULT 0 NOT NULL,
	`description` text NOT NULL,
	`effective_at_ms` integer NOT NULL,
	`arrival_date` text NOT NULL,
	`due_at_ms` integer,
	`pays_at_ms` integer,
	PRIMARY KEY(`property_id`, `id`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disbursements_net" CHECK("disbursements"."net_minor" = "disbursements"."gross_minor" - "disbursements"."fee_minor"),
	CONSTRAINT "disbursements_status" CHECK("disbursements"."status" IN ('not_paid_out', 'in_transit', 'paid_out', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `disbursements_by_time` ON `disbursements` (`property_id`,`effective_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `disbursements_due` ON `disbursements` (`due_at_ms`) WHERE "disbursements"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payout_progress` (
	`source` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `transactions` ADD `dispute` text;--> statement-breakpoint
-- A disbursement's totals are the sums of its items, whoever writes them.
CREATE TRIGGER disbursement_items_add_up AFTER INSERT ON disbursement_items
BEGIN
  UPDATE disbursements
  SET gross_minor = gross_minor + NEW.gross_minor, fee_minor = fee_minor + NEW.fee_minor, net_minor = net_minor + NEW.net_minor
  WHERE property_id = NEW.property_id AND id = NEW.disbursement_id;
END;
--> statement-breakpoint
CREATE TRIGGER disbursement_items_currency BEFORE INSERT ON disbursement_items
WHEN NEW.currency IS NOT (SELECT currency FROM disbursements WHERE property_id = NEW.property_id AND id = NEW.disbursement_id)
BEGIN
  SELECT RAISE(ABORT, 'another_currency');
END;
--> statement-breakpoint
-- What was disbursed stays as it was told.
CREATE TRIGGER disbursement_items_are_not_changed BEFORE UPDATE ON disbursement_items
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER disbursement_items_are_not_deleted BEFORE DELETE ON disbursement_items
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
