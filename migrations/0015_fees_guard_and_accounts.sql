CREATE TABLE `stripe_accounts` (
	`property_id` text NOT NULL,
	`account` text NOT NULL,
	PRIMARY KEY(`property_id`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `stripe_accounts_by_account` ON `stripe_accounts` (`account`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `fee_method` text DEFAULT 'grossUp' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `fee_maximum_minor` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `asked_minor` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `limit_to_due` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `warnings` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `quote_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_of_quote` ON `transactions` (`quote_id`) WHERE "transactions"."quote_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `fee_rules` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `country` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `fee_law` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `overcharge_guard` text DEFAULT 'warn' NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `duplicate_window_seconds` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- A property's accounts, former ones included: payments of a former account can still be refunded or disputed there.
CREATE TRIGGER stripe_accounts_of_new AFTER INSERT ON properties
WHEN NEW.stripe_account IS NOT NULL
BEGIN
  INSERT INTO stripe_accounts (property_id, account) VALUES (NEW.id, NEW.stripe_account);
END;
--> statement-breakpoint
CREATE TRIGGER stripe_accounts_of_changed AFTER UPDATE OF stripe_account ON properties
WHEN NEW.stripe_account IS NOT NULL AND NEW.stripe_account IS NOT OLD.stripe_account
BEGIN
  INSERT OR IGNORE INTO stripe_accounts (property_id, account) VALUES (NEW.id, NEW.stripe_account);
END;
--> statement-breakpoint
INSERT INTO stripe_accounts (property_id, account)
SELECT id, stripe_account FROM properties WHERE stripe_account IS NOT NULL;
