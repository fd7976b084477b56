CREATE TABLE `customer_moves` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`application_id` integer NOT NULL,
	`from_customer_id` integer NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`from_customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_moves_of_application` ON `customer_moves` (`application_id`);--> statement-breakpoint
CREATE INDEX `customer_moves_from` ON `customer_moves` (`from_customer_id`);--> statement-breakpoint
DROP INDEX `export_runs_daily`;--> statement-breakpoint
ALTER TABLE `export_runs` ADD `last_move_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `export_runs_daily` ON `export_runs` (`portfolio`,`variant`,`date`) WHERE "export_runs"."cause" = 'daily' AND "export_runs"."status" <> 'Failed';--> statement-breakpoint
ALTER TABLE `export_runs` DROP COLUMN `last_customer_id`;--> statement-breakpoint
ALTER TABLE `export_runs` DROP COLUMN `removed_at_ms`;--> statement-breakpoint
-- What is kept in minor units stays in the currency in which it was said.
DROP TRIGGER properties_currency_in_use;
--> statement-breakpoint
CREATE TRIGGER properties_currency_in_use BEFORE UPDATE OF currency ON properties
WHEN NEW.currency <> OLD.currency AND (
  EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.id)
  OR EXISTS (SELECT 1 FROM applications WHERE property_id = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;
--> statement-breakpoint
-- Kept by the schema itself, so that no way to another customer can be forgotten.
CREATE TRIGGER applications_move AFTER UPDATE OF customer_id ON applications
WHEN NEW.customer_id <> OLD.customer_id AND EXISTS (SELECT 1 FROM export_runs WHERE due_at_ms IS NOT NULL)
BEGIN
  INSERT INTO customer_moves (application_id, from_customer_id) VALUES (OLD.id, OLD.customer_id);
END;
