CREATE TABLE `audit` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`id` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`actor` text NOT NULL,
	`subject` text NOT NULL,
	`from_state` text,
	`to_state` text NOT NULL,
	`detail` text,
	PRIMARY KEY(`property_id`, `booking_reference`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `bookings` (
	`property_id` text NOT NULL,
	`reference` text NOT NULL,
	`status` text NOT NULL,
	`arrival` text NOT NULL,
	`departure` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`currency` text NOT NULL,
	`total_cost_minor` integer NOT NULL,
	`first_night_cost_minor` integer NOT NULL,
	`first_name` text,
	`phone` text,
	`source` text,
	`pms_confirmation_number` text,
	`room_stays` text,
	`card_token` text,
	`link_version` integer DEFAULT 1 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`property_id`, `reference`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bookings_stay" CHECK("bookings"."departure" > "bookings"."arrival"),
	CONSTRAINT "bookings_costs" CHECK("bookings"."total_cost_minor" >= 0 AND "bookings"."first_night_cost_minor" >= 0),
	CONSTRAINT "bookings_status" CHECK("bookings"."status" IN ('booked', 'cancelled'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `cards` (
	`token` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text,
	`gateway` text NOT NULL,
	`gateway_token` text NOT NULL,
	`brand` text NOT NULL,
	`last4` text NOT NULL,
	`masked` text NOT NULL,
	`holder_name` text,
	`expiry_month` integer NOT NULL,
	`expiry_year` integer NOT NULL,
	`entered_by` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "cards_expiry" CHECK("cards"."expiry_month" BETWEEN 1 AND 12),
	CONSTRAINT "cards_hold_no_number" CHECK(length("cards"."last4") = 4 AND "cards"."masked" NOT GLOB '*[0-9][0-9][0-9][0-9]*')
);
--> statement-breakpoint
CREATE INDEX `cards_by_booking` ON `cards` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text,
	`scopes` text NOT NULL,
	`secret_digest` text NOT NULL,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`revoked_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`property_id` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`request_id` text NOT NULL,
	`command_reference` text,
	`answer` text,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`property_id`, `operation`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `properties` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`site` text NOT NULL,
	`currency` text NOT NULL,
	`time_zone` text NOT NULL,
	`portfolio` text DEFAULT 'default' NOT NULL,
	`card_fee_basis_points` integer DEFAULT 0 NOT NULL,
	`card_fee_by_brand` text DEFAULT '{}' NOT NULL,
	`transaction_fee_minor` integer DEFAULT 0 NOT NULL,
	`keep_schedules_on_cancellation` integer DEFAULT false NOT NULL,
	`stripe_account` text,
	`pms_url` text,
	`pms_username` text,
	`pms_password_sealed` text,
	`pms_transaction_format` text DEFAULT 'JSON' NOT NULL,
	`pms_namespace` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	CONSTRAINT "properties_fees" CHECK("properties"."card_fee_basis_points" BETWEEN 0 AND 9999 AND "properties"."transaction_fee_minor" >= 0)
);
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` integer PRIMARY KEY NOT NULL,
	`transaction_id` integer NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`reference` text NOT NULL,
	`command_reference` text NOT NULL,
	`status` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`description` text,
	`gateway_reference` text,
	`inquiries` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`idempotency_key` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`settled_at_ms` integer,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_minor" > 0),
	CONSTRAINT "refunds_status" CHECK("refunds"."status" IN ('Processing', 'Refunded', 'Failed'))
);
--> statement-breakpoint
CREATE INDEX `refunds_by_booking` ON `refunds` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`due_at_ms`) WHERE "refunds"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_reference` ON `refunds` (`reference`);--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` integer PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`reference` text NOT NULL,
	`kind` text NOT NULL,
	`purpose` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`requested_minor` integer NOT NULL,
	`transaction_fee_minor` integer NOT NULL,
	`card_fee_minor` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	`refund_reserved_minor` integer DEFAULT 0 NOT NULL,
	`virtual_card` integer NOT NULL,
	`fee_basis_points` integer NOT NULL,
	`description` text,
	`card_token` text,
	`card_named` integer NOT NULL,
	`scheduled_time` text,
	`scheduled_at_ms` integer,
	`expiry_time` text,
	`expires_at_ms` integer,
	`first_attempt_at_ms` integer,
	`pending_operation` text,
	`capture_requested_minor` integer,
	`capture_amount_minor` integer,
	`gateway` text NOT NULL,
	`gateway_key` text,
	`gateway_reference` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`asked_at_ms` integer,
	`inquiries` integer DEFAULT 0 NOT NULL,
	`decline_code` text,
	`decline_retryable` integer,
	`due_at_ms` integer,
	`idempotency_key` text,
	`booking_version` integer NOT NULL,
	`property_version` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`settled_at_ms` integer,
	FOREIGN KEY (`card_token`) REFERENCES `cards`(`token`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transactions_amount" CHECK("transactions"."requested_minor" > 0 AND "transactions"."transaction_fee_minor" >= 0 AND "transactions"."card_fee_minor" >= 0 AND "transactions"."amount_minor" = "transactions"."requested_minor" + "transactions"."transaction_fee_minor" + "transactions"."card_fee_minor"),
	CONSTRAINT "transactions_refund_reserved" CHECK("transactions"."refund_reserved_minor" BETWEEN 0 AND "transactions"."amount_minor" AND ("transactions"."refund_reserved_minor" = 0 OR "transactions"."status" = 'Accepted')),
	CONSTRAINT "transactions_status" CHECK("transactions"."status" IN ('Processing', 'Accepted', 'Declined', 'Failed') OR ("transactions"."kind" = 'schedule' AND "transactions"."status" IN ('Pending', 'Cancelled')) OR ("transactions"."kind" = 'authorization' AND "transactions"."status" IN ('Authorized', 'Released', 'Expired'))),
	CONSTRAINT "transactions_gateway_key" CHECK("transactions"."gateway_key" IS NULL OR "transactions"."gateway_key" GLOB "transactions"."reference" || '-*'),
	CONSTRAINT "transactions_processing" CHECK(("transactions"."status" = 'Processing') = ("transactions"."pending_operation" IS NOT NULL) AND ("transactions"."status" <> 'Processing' OR ("transactions"."gateway_key" IS NOT NULL AND "transactions"."card_token" IS NOT NULL AND "transactions"."due_at_ms" IS NOT NULL AND "transactions"."asked_at_ms" IS NOT NULL))),
	CONSTRAINT "transactions_waiting" CHECK(("transactions"."status" <> 'Pending' OR "transactions"."scheduled_at_ms" IS NOT NULL) AND ("transactions"."status" <> 'Authorized' OR "transactions"."expires_at_ms" IS NOT NULL) AND ("transactions"."status" NOT IN ('Pending', 'Authorized') OR "transactions"."due_at_ms" IS NOT NULL)),
	CONSTRAINT "transactions_capture" CHECK("transactions"."capture_amount_minor" IS NULL OR ("transactions"."kind" = 'authorization' AND "transactions"."capture_amount_minor" BETWEEN 1 AND "transactions"."amount_minor"))
);
--> statement-breakpoint
CREATE INDEX `transactions_by_booking` ON `transactions` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`due_at_ms`) WHERE "transactions"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_reference` ON `transactions` (`reference`);