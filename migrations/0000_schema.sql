CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`property_id` text,
	`scopes` text NOT NULL,
	`secret_digest` text NOT NULL,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`revoked_at_ms` integer
);
--> statement-breakpoint
CREATE TABLE `ended_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `export_users` (
	`username` text PRIMARY KEY NOT NULL,
	`portfolio` text NOT NULL,
	`secret_digest` text NOT NULL,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	`revoked_at_ms` integer
);
--> statement-breakpoint
CREATE TABLE `keyring_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`replaced_at_ms` integer,
	`stranded` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `applications` (
	`id` integer PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`customer_id` integer NOT NULL,
	`booking_type` text NOT NULL,
	`application_number` text,
	`booking_id` integer,
	`booking_reference` text,
	`contact_id` integer,
	`email` text,
	`current_status` text NOT NULL,
	`application_at_ms` integer,
	`offered_at_ms` integer,
	`held_at_ms` integer,
	`reserved_at_ms` integer,
	`in_room_at_ms` integer,
	`history_at_ms` integer,
	`cancelled_at_ms` integer,
	`arrival` text,
	`departure` text,
	`currency` text,
	`weekly_rate_minor` integer,
	`total_minor` integer,
	`gender` text,
	`nationality` text,
	`city` text,
	`state` text,
	`country` text,
	`international_student` integer,
	`non_student` integer,
	`in_australia` integer,
	`date_of_birth` text,
	`age_on_arrival` integer,
	`under_18` integer,
	`room_type` text,
	`rate_type` text,
	`residents` integer,
	`university` text,
	`course_name` text,
	`user_agent` text,
	`is_mobile` integer,
	`is_tablet` integer,
	`agent` text,
	`tenant_applications` text DEFAULT '[]' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`erased_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "applications_status" CHECK("applications"."current_status" IN ('Tentative', 'Offered', 'Held', 'Reserved', 'In Room', 'History', 'Cancelled')),
	CONSTRAINT "applications_origin" CHECK(("applications"."booking_type" = 'Online') = ("applications"."application_number" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `applications_by_customer` ON `applications` (`customer_id`);--> statement-breakpoint
CREATE INDEX `applications_by_creation` ON `applications` (`property_id`,`created_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `applications_by_status` ON `applications` (`property_id`,`current_status`);--> statement-breakpoint
CREATE INDEX `applications_by_arrival` ON `applications` (`property_id`,`arrival`);--> statement-breakpoint
CREATE INDEX `applications_by_change` ON `applications` (`property_id`,`updated_at_ms`);--> statement-breakpoint
CREATE INDEX `applications_by_email` ON `applications` (`property_id`,lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX `applications_number` ON `applications` (`application_number`) WHERE "applications"."application_number" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `applications_booking_id` ON `applications` (`property_id`,`booking_id`) WHERE "applications"."booking_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `applications_by_booking` ON `applications` (`property_id`,`booking_reference`) WHERE "applications"."booking_reference" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`email` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_email` ON `contacts` (`property_id`,`email`);--> statement-breakpoint
CREATE TABLE `customer_moves` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`property_id` text NOT NULL,
	`application_id` integer NOT NULL,
	`from_customer_id` integer NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`from_customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `customer_moves_of_application` ON `customer_moves` (`application_id`);--> statement-breakpoint
CREATE INDEX `customer_moves_from` ON `customer_moves` (`from_customer_id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` integer PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`entry_id` integer,
	`contact_id` integer,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_entry` ON `customers` (`property_id`,`entry_id`) WHERE "customers"."entry_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `customers_contact` ON `customers` (`contact_id`) WHERE "customers"."entry_id" IS NULL AND "customers"."contact_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_by_property` ON `customers` (`property_id`);--> statement-breakpoint
CREATE TABLE `booking_words` (
	`property_id` text NOT NULL,
	`word` text NOT NULL,
	`booking_reference` text NOT NULL,
	PRIMARY KEY(`property_id`, `word`, `booking_reference`)
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
	`known_total_minor` integer DEFAULT 0 NOT NULL,
	`first_night_cost_minor` integer NOT NULL,
	`first_name` text,
	`phone` text,
	`source` text,
	`pms_confirmation_number` text,
	`room_stays` text,
	`eta` text,
	`notes` text,
	`guest` text,
	`from_pms` integer DEFAULT false NOT NULL,
	`card_token` text,
	`link_version` integer DEFAULT 1 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`property_version` integer,
	`pending_cancelled_version` integer,
	`cancellation_policy` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`erased_at_ms` integer,
	`search_words` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`property_id`, `reference`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bookings_stay" CHECK("bookings"."departure" > "bookings"."arrival"),
	CONSTRAINT "bookings_costs" CHECK("bookings"."total_cost_minor" >= 0 AND "bookings"."first_night_cost_minor" >= 0),
	CONSTRAINT "bookings_status" CHECK("bookings"."status" IN ('booked', 'cancelled'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bookings_by_creation` ON `bookings` (`property_id`,`created_at_ms`,`reference`);--> statement-breakpoint
CREATE INDEX `bookings_by_arrival` ON `bookings` (`property_id`,`arrival`);--> statement-breakpoint
CREATE INDEX `bookings_changed_later` ON `bookings` (`property_id`,`updated_at_ms`) WHERE "bookings"."updated_at_ms" > "bookings"."created_at_ms" + 60000;--> statement-breakpoint
CREATE INDEX `bookings_by_email` ON `bookings` (`property_id`,lower("email"));--> statement-breakpoint
CREATE INDEX `bookings_cancelled` ON `bookings` (`property_id`,`created_at_ms`,`reference`) WHERE "bookings"."status" = 'cancelled';--> statement-breakpoint
CREATE INDEX `bookings_by_confirmation` ON `bookings` (`property_id`,`pms_confirmation_number`) WHERE "bookings"."pms_confirmation_number" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `owed_bookings` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`arrival` text NOT NULL,
	`currency` text NOT NULL,
	`due_minor` integer NOT NULL,
	PRIMARY KEY(`property_id`, `booking_reference`),
	CONSTRAINT "owed_bookings_due" CHECK("owed_bookings"."due_minor" > 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `owed_bookings_by_arrival` ON `owed_bookings` (`property_id`,`arrival`,`booking_reference`,`currency`,`due_minor`);--> statement-breakpoint
CREATE TABLE `owed_days` (
	`property_id` text NOT NULL,
	`arrival` text NOT NULL,
	`currency` text NOT NULL,
	`number` integer NOT NULL,
	`due_minor` integer NOT NULL,
	PRIMARY KEY(`property_id`, `arrival`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `owed_progress` (
	`property_id` text PRIMARY KEY NOT NULL,
	`event_number` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `card_entries` (
	`attempt` text PRIMARY KEY NOT NULL,
	`link_id` text NOT NULL,
	`at_ms` integer NOT NULL,
	`property_id` text,
	`booking_reference` text
);
--> statement-breakpoint
CREATE INDEX `card_entries_by_link` ON `card_entries` (`link_id`,`at_ms`);--> statement-breakpoint
CREATE INDEX `card_entries_by_booking` ON `card_entries` (`property_id`,`booking_reference`,`at_ms`) WHERE "card_entries"."booking_reference" IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `card_requests_by_email` ON `card_requests` (`property_id`,lower("email"),`created_at_ms`);--> statement-breakpoint
CREATE TABLE `cards` (
	`token` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text,
	`gateway` text NOT NULL,
	`gateway_token` text NOT NULL,
	`gateway_account` text GENERATED ALWAYS AS (nullif(substr(gateway_token, 1, instr(gateway_token, '/') - 1), '')) VIRTUAL,
	`brand` text NOT NULL,
	`last4` text NOT NULL,
	`masked` text NOT NULL,
	`holder_name` text,
	`expiry_month` integer NOT NULL,
	`expiry_year` integer NOT NULL,
	`funding` text DEFAULT 'unknown' NOT NULL,
	`issuer_country` text,
	`entered_by` text NOT NULL,
	`request_id` text,
	`entered_to_pay` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`removed_at_ms` integer,
	`detached_at_ms` integer,
	`virtual_terms` text,
	`taken_minor` integer DEFAULT 0 NOT NULL,
	`held_minor` integer DEFAULT 0 NOT NULL,
	`refunded_minor` integer DEFAULT 0 NOT NULL,
	`auto_charge_id` integer,
	`due_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "cards_expiry" CHECK("cards"."expiry_month" BETWEEN 1 AND 12),
	CONSTRAINT "cards_hold_no_number" CHECK(length("cards"."last4") = 4 AND "cards"."masked" NOT GLOB '*[0-9][0-9][0-9][0-9]*')
);
--> statement-breakpoint
CREATE INDEX `cards_virtual` ON `cards` (`property_id`,"virtual_terms" ->> '$.activeFromMs',`token`) WHERE "cards"."virtual_terms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_due` ON `cards` (`due_at_ms`) WHERE "cards"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_by_gateway_token` ON `cards` (`gateway_token`);--> statement-breakpoint
CREATE INDEX `cards_by_booking` ON `cards` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `cards_by_last4` ON `cards` (`property_id`,`last4`,`created_at_ms`);--> statement-breakpoint
CREATE UNIQUE INDEX `cards_request` ON `cards` (`request_id`) WHERE "cards"."request_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bank_lines` (
	`property_id` text NOT NULL,
	`id` text NOT NULL,
	`date` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`disbursement_id` text,
	PRIMARY KEY(`property_id`, `id`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`disbursement_id`) REFERENCES `disbursements`(`property_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "bank_lines_status" CHECK("bank_lines"."status" = iif("bank_lines"."disbursement_id" IS NULL, 'unmatched', 'matched'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bank_lines_by_date` ON `bank_lines` (`property_id`,`date`,`id`) WHERE "bank_lines"."date" <> '';--> statement-breakpoint
CREATE INDEX `bank_lines_by_status` ON `bank_lines` (`property_id`,`status`,`date`,`id`,`amount_minor`,`currency`);--> statement-breakpoint
CREATE UNIQUE INDEX `bank_lines_of_disbursement` ON `bank_lines` (`property_id`,`disbursement_id`) WHERE "bank_lines"."disbursement_id" IS NOT NULL;--> statement-breakpoint
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
	`posted_net_minor` integer DEFAULT 0 NOT NULL,
	`posted_fee_minor` integer DEFAULT 0 NOT NULL,
	`item_count` integer DEFAULT 0 NOT NULL,
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
CREATE INDEX `disbursements_newest` ON `disbursements` (`effective_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `disbursements_by_arrival` ON `disbursements` (`property_id`,`arrival_date`);--> statement-breakpoint
CREATE INDEX `disbursements_due` ON `disbursements` (`due_at_ms`) WHERE "disbursements"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payout_progress` (
	`source` text PRIMARY KEY NOT NULL,
	`position` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dispute_evidence` (
	`reference` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`dispute_id` text NOT NULL,
	`texts` text,
	`stay_happened` integer NOT NULL,
	`document` text,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `dispute_evidence_by_dispute` ON `dispute_evidence` (`property_id`,`dispute_id`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`property_id` text NOT NULL,
	`id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`transaction_id` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`funds_withdrawn` integer NOT NULL,
	`opened_at_ms` integer NOT NULL,
	`respond_by_ms` integer,
	`closed_at_ms` integer,
	`changed_at_ms` integer NOT NULL,
	`learnt_at_ms` integer NOT NULL,
	`pending_answer` text,
	`answer` text,
	`answered_at_ms` integer,
	`answer_reference` text,
	`asked_at_ms` integer,
	`sent_at_ms` integer,
	`status_checks` integer DEFAULT 0 NOT NULL,
	`absent_at_ms` integer,
	`told_deadline_ms` integer,
	`due_at_ms` integer,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`property_id`, `id`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disputes_amount" CHECK("disputes"."amount_minor" > 0 AND "disputes"."fee_minor" >= 0),
	CONSTRAINT "disputes_status" CHECK("disputes"."status" IN ('needs_response', 'under_review', 'won', 'lost')),
	CONSTRAINT "disputes_pending" CHECK("disputes"."pending_answer" IS NULL OR ("disputes"."answer_reference" IS NOT NULL AND "disputes"."asked_at_ms" IS NOT NULL AND "disputes"."due_at_ms" IS NOT NULL)),
	CONSTRAINT "disputes_answered" CHECK(("disputes"."answer" IS NULL) = ("disputes"."answered_at_ms" IS NULL))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `disputes_by_booking` ON `disputes` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `disputes_by_change` ON `disputes` (`property_id`,`learnt_at_ms`);--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`property_id`,`opened_at_ms`) WHERE "disputes"."status" IN ('needs_response', 'under_review');--> statement-breakpoint
CREATE INDEX `disputes_by_deadline` ON `disputes` (`property_id`,`status`,`respond_by_ms`,`id`) WHERE "disputes"."status" IN ('needs_response', 'under_review');--> statement-breakpoint
CREATE INDEX `disputes_open_anywhere` ON `disputes` (`status`,`respond_by_ms`,`id`) WHERE "disputes"."status" IN ('needs_response', 'under_review');--> statement-breakpoint
CREATE INDEX `disputes_closed_anywhere` ON `disputes` (`learnt_at_ms`,`id`) WHERE "disputes"."status" IN ('won', 'lost');--> statement-breakpoint
CREATE INDEX `disputes_by_time` ON `disputes` (`property_id`,`opened_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_due` ON `disputes` (`due_at_ms`) WHERE "disputes"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`endpoint_id` text NOT NULL,
	`event_number` integer NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`last_status` integer,
	`last_error` text,
	`completed_at_ms` integer,
	PRIMARY KEY(`endpoint_id`, `event_number`),
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_status" CHECK("webhook_deliveries"."status" IN ('Pending', 'Confirmed', 'Dead', 'Dismissed')),
	CONSTRAINT "webhook_deliveries_due_pending" CHECK("webhook_deliveries"."due_at_ms" IS NULL OR "webhook_deliveries"."status" = 'Pending')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_pending` ON `webhook_deliveries` (`endpoint_id`,`booking_reference`,`event_number`) WHERE "webhook_deliveries"."status" = 'Pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_dead` ON `webhook_deliveries` (`endpoint_id`,`booking_reference`,`event_number`) WHERE "webhook_deliveries"."status" = 'Dead';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at_ms`) WHERE "webhook_deliveries"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`active` integer NOT NULL,
	`secret_sealed` text NOT NULL,
	`previous_secret_sealed` text,
	`previous_until_ms` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`deleted_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_endpoints_deleted" CHECK("webhook_endpoints"."deleted_at_ms" IS NULL OR "webhook_endpoints"."active" = 0)
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_property` ON `webhook_endpoints` (`property_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_key` ON `webhook_endpoints` (`secret_sealed`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_previous_key` ON `webhook_endpoints` (`previous_secret_sealed`);--> statement-breakpoint
CREATE TABLE `export_files` (
	`portfolio` text NOT NULL,
	`variant` text NOT NULL,
	`date` text NOT NULL,
	`run_id` text NOT NULL,
	PRIMARY KEY(`portfolio`, `variant`, `date`),
	FOREIGN KEY (`run_id`) REFERENCES `export_runs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `export_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`portfolio` text NOT NULL,
	`variant` text NOT NULL,
	`date` text NOT NULL,
	`cause` text NOT NULL,
	`status` text NOT NULL,
	`last_application_id` integer NOT NULL,
	`last_move_id` integer DEFAULT 0 NOT NULL,
	`expected_rows` integer NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`object_key` text NOT NULL,
	`sha256` text,
	`failure` text,
	`due_at_ms` integer,
	`started_at_ms` integer NOT NULL,
	`finished_at_ms` integer,
	`rewrites` text,
	`stale_since_ms` integer,
	CONSTRAINT "export_runs_complete" CHECK("export_runs"."status" <> 'Complete' OR "export_runs"."sha256" IS NOT NULL)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `export_runs_daily` ON `export_runs` (`portfolio`,`variant`,`date`) WHERE "export_runs"."cause" = 'daily' AND "export_runs"."status" <> 'Failed';--> statement-breakpoint
CREATE INDEX `export_runs_due` ON `export_runs` (`due_at_ms`) WHERE "export_runs"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `export_runs_by_day` ON `export_runs` (`portfolio`,`variant`,`date`);--> statement-breakpoint
CREATE UNIQUE INDEX `export_runs_rewriting` ON `export_runs` (`rewrites`) WHERE "export_runs"."rewrites" IS NOT NULL AND "export_runs"."status" <> 'Failed';--> statement-breakpoint
CREATE INDEX `export_runs_stale` ON `export_runs` (`stale_since_ms`) WHERE "export_runs"."stale_since_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `export_runs_unfinished` ON `export_runs` (`started_at_ms`) WHERE "export_runs"."status" <> 'Complete';--> statement-breakpoint
CREATE TABLE `guest_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`language` text,
	`words` text,
	`at_ms` integer NOT NULL,
	`ip_address` text,
	`browser` text,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "guest_acts_kind" CHECK("guest_acts"."kind" IN ('opened', 'card', 'payment', 'plan', 'policy'))
);
--> statement-breakpoint
CREATE INDEX `guest_acts_by_booking` ON `guest_acts` (`property_id`,`booking_reference`,`at_ms`);--> statement-breakpoint
CREATE TABLE `history` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`sequence` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`recorded_at_ms` integer,
	`actor` text NOT NULL,
	`actor_name` text,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`from_state` text,
	`to_state` text,
	`detail` text,
	`type` text,
	`event_number` integer,
	`event_sequence` integer,
	`event_salt` blob,
	`snapshot` blob,
	`new_contact_id` integer,
	`message_id` text,
	`charge_id` integer,
	`movement` text,
	`currency` text,
	`amount_minor` integer,
	`fee_minor` integer,
	`waived_minor` integer,
	`gateway` text,
	`gateway_reference` text,
	`occurred_at_ms` integer,
	`reconciled_at_ms` integer,
	`scheduled_minor` integer,
	`uncertain_minor` integer,
	`held_minor` integer,
	`planned_minor` integer,
	`total_cost_minor` integer,
	PRIMARY KEY(`property_id`, `booking_reference`, `sequence`),
	CONSTRAINT "history_event" CHECK(("history"."type" IS NULL) = ("history"."event_number" IS NULL) AND ("history"."type" IS NULL) = ("history"."snapshot" IS NULL) AND ("history"."event_sequence" IS NULL) = ("history"."type" IS NULL OR "history"."booking_reference" = '')),
	CONSTRAINT "history_movement" CHECK(("history"."movement" IS NULL) = ("history"."amount_minor" IS NULL) AND ("history"."movement" IS NULL OR ("history"."movement" = 'payout') = ("history"."charge_id" IS NULL))),
	CONSTRAINT "history_sign" CHECK(("history"."movement" NOT IN ('charge', 'capture', 'reversal', 'chargeback_reversal') OR "history"."amount_minor" > 0) AND ("history"."movement" NOT IN ('refund', 'chargeback') OR "history"."amount_minor" < 0))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `history_events` ON `history` (`property_id`,`event_number`) WHERE "history"."event_number" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `history_movements` ON `history` (`property_id`,`occurred_at_ms`) WHERE "history"."movement" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `history_recorded` ON `history` (`property_id`,`recorded_at_ms`) WHERE "history"."recorded_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `homes` (
	`property_id` text PRIMARY KEY NOT NULL,
	`database` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `moved_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`property_id` text NOT NULL,
	`table_name` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `moved_changes_of_property` ON `moved_changes` (`property_id`,`id`);--> statement-breakpoint
CREATE TABLE `moves` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`from_database` text NOT NULL,
	`to_database` text NOT NULL,
	`status` text NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`last_step_ms` integer,
	`failure` text,
	`started_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	CONSTRAINT "moves_status" CHECK("moves"."status" IN ('copying', 'switching', 'moved', 'failed')),
	CONSTRAINT "moves_ended" CHECK(("moves"."ended_at_ms" IS NOT NULL) = ("moves"."status" IN ('moved', 'failed')))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `moves_under_way` ON `moves` (`property_id`) WHERE "moves"."ended_at_ms" IS NULL;--> statement-breakpoint
CREATE TABLE `moving_properties` (
	`property_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	CONSTRAINT "moving_properties_state" CHECK("moving_properties"."state" IN ('arriving', 'leaving', 'frozen', 'left'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `this_database` (
	`number` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `archived_bookings` (
	`property_id` text NOT NULL,
	`reference` text NOT NULL,
	`state` text NOT NULL,
	`object_key` text NOT NULL,
	`status` text NOT NULL,
	`arrival` text NOT NULL,
	`last_name` text NOT NULL,
	`email` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`last_event_number` integer NOT NULL,
	PRIMARY KEY(`property_id`, `reference`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "archived_bookings_state" CHECK("archived_bookings"."state" IN ('outside', 'archived', 'open'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archived_bookings_by_event` ON `archived_bookings` (`property_id`,`last_event_number`);--> statement-breakpoint
CREATE INDEX `archived_bookings_by_creation` ON `archived_bookings` (`property_id`,`created_at_ms`,`reference`);--> statement-breakpoint
CREATE INDEX `archived_bookings_by_email` ON `archived_bookings` (`property_id`,lower("email"));--> statement-breakpoint
CREATE INDEX `archived_bookings_outside` ON `archived_bookings` (`property_id`) WHERE "archived_bookings"."state" = 'outside';--> statement-breakpoint
CREATE TABLE `archived_movements` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`sequence` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`recorded_at_ms` integer,
	`occurred_at_ms` integer NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`movement` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`charge_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`taken_before` integer NOT NULL,
	`fee_before` integer NOT NULL,
	`refunded_before` integer NOT NULL,
	`disputed_before` integer NOT NULL,
	PRIMARY KEY(`property_id`, `booking_reference`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `archived_payments` (
	`property_id` text NOT NULL,
	`id` integer NOT NULL,
	`booking_reference` text NOT NULL,
	`status` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	`currency` text DEFAULT '' NOT NULL,
	`amount_minor` integer DEFAULT 0 NOT NULL,
	`completed_at_ms` integer,
	`taken_from` text,
	PRIMARY KEY(`property_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archived_payments_by_creation` ON `archived_payments` (`property_id`,`created_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `archived_payments_by_booking` ON `archived_payments` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE TABLE `archived_references` (
	`property_id` text NOT NULL,
	`gateway_reference` text NOT NULL,
	`booking_reference` text NOT NULL,
	`charge_id` integer NOT NULL,
	`refund_id` integer,
	`reference` text,
	`account` text,
	PRIMARY KEY(`property_id`, `gateway_reference`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archived_references_by_booking` ON `archived_references` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`subject` text NOT NULL,
	`bookings` text NOT NULL,
	`actor` text NOT NULL,
	`at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasures_subject` ON `erasures` (`property_id`,`subject`);--> statement-breakpoint
CREATE TABLE `retention_progress` (
	`property_id` text PRIMARY KEY NOT NULL,
	`day` text DEFAULT '' NOT NULL,
	`event_number` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `local_mailbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`at_ms` integer NOT NULL,
	`sender` text,
	`reply_to` text,
	`mail_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `local_mailbox_mail` ON `local_mailbox` (`mail_id`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text,
	`kind` text NOT NULL,
	`event_type` text,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`last_error` text,
	`morning` text,
	`recipient` text,
	`summed_up_in` text,
	`created_at_ms` integer NOT NULL,
	`completed_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "mails_status" CHECK("mails"."status" IN ('Pending', 'Sent', 'Suppressed', 'Dropped', 'Dead') AND ("mails"."status" = 'Pending') = ("mails"."due_at_ms" IS NOT NULL))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`property_id`,`due_at_ms`) WHERE "mails"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_by_time` ON `mails` (`property_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `mails_by_booking` ON `mails` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `mails_by_recipient` ON `mails` (`property_id`,`recipient`,`completed_at_ms`) WHERE "mails"."recipient" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `suppressed_addresses` (
	`digest` text PRIMARY KEY NOT NULL,
	`why` text NOT NULL,
	`since_ms` integer NOT NULL
) WITHOUT ROWID;
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
	`waived` integer DEFAULT false NOT NULL,
	`gateway_reference` text,
	`origin` text DEFAULT 'service' NOT NULL,
	`actor` text,
	`status_checks` integer DEFAULT 0 NOT NULL,
	`rejections` integer DEFAULT 0 NOT NULL,
	`sent_at_ms` integer,
	`absent_at_ms` integer,
	`due_at_ms` integer,
	`idempotency_key` text,
	`property_version` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`completed_at_ms` integer,
	`learnt_at_ms` integer,
	`corrected_at_ms` integer,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_minor" > 0),
	CONSTRAINT "refunds_status" CHECK("refunds"."status" IN ('Processing', 'Refunded', 'Failed'))
);
--> statement-breakpoint
CREATE INDEX `refunds_by_change` ON `refunds` (`property_id`,`learnt_at_ms`) WHERE "refunds"."learnt_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`due_at_ms`) WHERE "refunds"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `refunds_failed` ON `refunds` (`property_id`,`learnt_at_ms`) WHERE "refunds"."status" = 'Failed';--> statement-breakpoint
CREATE INDEX `refunds_failed_anywhere` ON `refunds` (`learnt_at_ms`) WHERE "refunds"."status" = 'Failed';--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_of_gateway` ON `refunds` (`property_id`,`gateway_reference`) WHERE "refunds"."origin" = 'gateway';--> statement-breakpoint
CREATE INDEX `refunds_unknown` ON `refunds` (`created_at_ms`) WHERE "refunds"."status" = 'Processing' AND "refunds"."status_checks" > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_by_booking` ON `refunds` (`property_id`,`booking_reference`,`reference`);--> statement-breakpoint
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
	`fee_method` text DEFAULT 'grossUp' NOT NULL,
	`fee_maximum_minor` integer,
	`asked_minor` integer,
	`limit_to_due` integer DEFAULT false NOT NULL,
	`warnings` text DEFAULT '[]' NOT NULL,
	`replaces` text DEFAULT '[]' NOT NULL,
	`lowers` text,
	`replaced_by` integer,
	`replaces_charge` integer,
	`quote_id` text,
	`plan_id` text,
	`part_id` text,
	`description` text,
	`initiator` text DEFAULT 'property' NOT NULL,
	`return_url` text,
	`bank_asked_at_ms` integer,
	`card_token` text,
	`card_named` integer NOT NULL,
	`other_card` text,
	`scheduled_time` text,
	`scheduled_at_ms` integer,
	`expiry_time` text,
	`expires_at_ms` integer,
	`first_attempt_at_ms` integer,
	`put_off_until_ms` integer,
	`pending_operation` text,
	`capture_requested_minor` integer,
	`capture_amount_minor` integer,
	`gateway` text NOT NULL,
	`gateway_key` text,
	`gateway_reference` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`asked_at_ms` integer,
	`status_checks` integer DEFAULT 0 NOT NULL,
	`decline_code` text,
	`decline_retryable` integer,
	`rejections` integer DEFAULT 0 NOT NULL,
	`sent_at_ms` integer,
	`absent_at_ms` integer,
	`unwanted_since_ms` integer,
	`due_at_ms` integer,
	`idempotency_key` text,
	`booking_version` integer NOT NULL,
	`property_version` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`completed_at_ms` integer,
	`learnt_at_ms` integer,
	`corrected_at_ms` integer,
	`changed_at_ms` integer,
	FOREIGN KEY (`card_token`) REFERENCES `cards`(`token`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transactions_amount" CHECK("transactions"."requested_minor" > 0 AND "transactions"."transaction_fee_minor" >= 0 AND "transactions"."card_fee_minor" >= 0 AND "transactions"."amount_minor" = "transactions"."requested_minor" + "transactions"."transaction_fee_minor" + "transactions"."card_fee_minor"),
	CONSTRAINT "transactions_refund_reserved" CHECK("transactions"."refund_reserved_minor" BETWEEN 0 AND "transactions"."amount_minor" AND ("transactions"."refund_reserved_minor" = 0 OR "transactions"."status" = 'Accepted')),
	CONSTRAINT "transactions_status" CHECK("transactions"."status" IN ('Processing', 'Accepted', 'Declined', 'Failed') OR ("transactions"."kind" = 'schedule' AND "transactions"."status" IN ('Pending', 'Cancelled')) OR ("transactions"."kind" = 'authorization' AND "transactions"."status" IN ('Authorized', 'Released', 'Expired'))),
	CONSTRAINT "transactions_completed" CHECK("transactions"."completed_at_ms" IS NULL OR "transactions"."status" NOT IN ('Pending', 'Authorized', 'Processing')),
	CONSTRAINT "transactions_gateway_key" CHECK("transactions"."gateway_key" IS NULL OR "transactions"."gateway_key" GLOB "transactions"."reference" || '-*'),
	CONSTRAINT "transactions_processing" CHECK(("transactions"."status" = 'Processing') = ("transactions"."pending_operation" IS NOT NULL) AND ("transactions"."status" <> 'Processing' OR ("transactions"."gateway_key" IS NOT NULL AND "transactions"."card_token" IS NOT NULL AND "transactions"."due_at_ms" IS NOT NULL AND "transactions"."asked_at_ms" IS NOT NULL))),
	CONSTRAINT "transactions_waiting" CHECK(("transactions"."status" <> 'Pending' OR "transactions"."scheduled_at_ms" IS NOT NULL) AND ("transactions"."status" <> 'Authorized' OR "transactions"."expires_at_ms" IS NOT NULL) AND ("transactions"."status" NOT IN ('Pending', 'Authorized') OR "transactions"."due_at_ms" IS NOT NULL)),
	CONSTRAINT "transactions_capture" CHECK("transactions"."capture_amount_minor" IS NULL OR ("transactions"."kind" = 'authorization' AND "transactions"."capture_amount_minor" BETWEEN 1 AND "transactions"."amount_minor"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_of_quote` ON `transactions` (`quote_id`) WHERE "transactions"."quote_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_by_amount` ON `transactions` (`property_id`,`amount_minor`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `transactions_by_creation` ON `transactions` (`property_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `transactions_by_status` ON `transactions` (`property_id`,`status`,`created_at_ms`) WHERE "transactions"."status" NOT IN ('Processing', 'Accepted');--> statement-breakpoint
CREATE INDEX `transactions_changed_later` ON `transactions` (`property_id`,`changed_at_ms`) WHERE "transactions"."changed_at_ms" > "transactions"."created_at_ms" + 60000 AND "transactions"."status" <> 'Processing';--> statement-breakpoint
CREATE INDEX `transactions_due` ON `transactions` (`due_at_ms`) WHERE "transactions"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_scheduled` ON `transactions` (`due_at_ms`,`currency`,`amount_minor`) WHERE "transactions"."status" = 'Pending';--> statement-breakpoint
CREATE INDEX `transactions_retried` ON `transactions` (`asked_at_ms`) WHERE "transactions"."status" = 'Pending' AND "transactions"."attempts" > 0;--> statement-breakpoint
CREATE INDEX `transactions_rejected` ON `transactions` (`due_at_ms`) WHERE "transactions"."status" = 'Pending' AND "transactions"."rejections" > 0;--> statement-breakpoint
CREATE INDEX `transactions_unknown` ON `transactions` (`asked_at_ms`) WHERE "transactions"."status" = 'Processing' AND "transactions"."status_checks" > 0;--> statement-breakpoint
CREATE INDEX `transactions_at_bank` ON `transactions` (`property_id`) WHERE "transactions"."status" = 'Processing' AND "transactions"."bank_asked_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_needing_card` ON `transactions` (`card_token`) WHERE "transactions"."completed_at_ms" IS NULL AND "transactions"."kind" <> 'charge';--> statement-breakpoint
CREATE INDEX `transactions_replacing` ON `transactions` (`replaces_charge`) WHERE "transactions"."replaces_charge" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_warned` ON `transactions` (`created_at_ms`) WHERE "transactions"."warnings" <> '[]';--> statement-breakpoint
CREATE INDEX `transactions_coming` ON `transactions` (`property_id`,`due_at_ms`) WHERE "transactions"."status" IN ('Pending', 'Authorized');--> statement-breakpoint
CREATE INDEX `transactions_failed` ON `transactions` (`property_id`,`learnt_at_ms`) WHERE "transactions"."status" IN ('Declined', 'Failed');--> statement-breakpoint
CREATE INDEX `transactions_failed_anywhere` ON `transactions` (`learnt_at_ms`) WHERE "transactions"."status" = 'Failed';--> statement-breakpoint
CREATE INDEX `transactions_completed_later` ON `transactions` (`completed_at_ms`) WHERE "transactions"."completed_at_ms" IS NOT NULL AND ("transactions"."kind" <> 'charge' OR "transactions"."status_checks" > 0);--> statement-breakpoint
CREATE INDEX `transactions_doubtful_holds` ON `transactions` (`completed_at_ms`) WHERE "transactions"."kind" = 'authorization' AND "transactions"."status_checks" > 0;--> statement-breakpoint
CREATE TABLE `ledger_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`matched` integer NOT NULL,
	`found` blob NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ledger_reports_by_property` ON `ledger_reports` (`property_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`message_id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`message_type` text NOT NULL,
	`payload` blob,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`refusals` integer DEFAULT 0 NOT NULL,
	`answered_at_ms` integer,
	`due_at_ms` integer,
	`last_error` text,
	`created_at_ms` integer NOT NULL,
	`completed_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outbox_status" CHECK("outbox"."status" IN ('Pending', 'Confirmed', 'Dead', 'Dismissed')),
	CONSTRAINT "outbox_due" CHECK("outbox"."due_at_ms" IS NULL OR "outbox"."status" = 'Pending')
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `outbox_unsettled` ON `outbox` (`property_id`,`due_at_ms`) WHERE "outbox"."status" IN ('Pending', 'Dead');--> statement-breakpoint
CREATE INDEX `outbox_dead` ON `outbox` (`message_id`) WHERE "outbox"."status" = 'Dead';--> statement-breakpoint
CREATE INDEX `outbox_dead_of_property` ON `outbox` (`property_id`,`message_id`) WHERE "outbox"."status" = 'Dead';--> statement-breakpoint
CREATE TABLE `payment_plans` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`status` text NOT NULL,
	`currency` text NOT NULL,
	`card_token` text,
	`card_ends_at_ms` integer,
	`spec` text NOT NULL,
	`parts` text NOT NULL,
	`put_at_ms` integer NOT NULL,
	`booking_version` integer NOT NULL,
	`due_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_plans_status" CHECK("payment_plans"."status" IN ('active', 'completed', 'cancelled')),
	CONSTRAINT "payment_plans_done" CHECK("payment_plans"."status" = 'active' OR "payment_plans"."due_at_ms" IS NULL)
);
--> statement-breakpoint
CREATE INDEX `payment_plans_by_booking` ON `payment_plans` (`property_id`,`booking_reference`,`created_at_ms`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_plans_active` ON `payment_plans` (`property_id`,`booking_reference`) WHERE "payment_plans"."status" = 'active';--> statement-breakpoint
CREATE INDEX `payment_plans_due` ON `payment_plans` (`due_at_ms`) WHERE "payment_plans"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_plans_coming` ON `payment_plans` (`property_id`,`due_at_ms`) WHERE "payment_plans"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `merchant_accounts` (
	`property_id` text NOT NULL,
	`account` text NOT NULL,
	PRIMARY KEY(`property_id`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `merchant_accounts_by_account` ON `merchant_accounts` (`account`);--> statement-breakpoint
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
	`fee_rules` text DEFAULT '[]' NOT NULL,
	`country` text,
	`fee_law` text,
	`overcharge_guard` text DEFAULT 'warn' NOT NULL,
	`duplicate_window_seconds` integer DEFAULT 0 NOT NULL,
	`refund_limit_minor` integer,
	`card_recovery` text,
	`plan_templates` text DEFAULT '[]' NOT NULL,
	`keep_schedules_on_cancellation` integer DEFAULT false NOT NULL,
	`cancellation_policy` text,
	`guest_cancellation` integer DEFAULT false NOT NULL,
	`merchant_account` text,
	`pms_url` text,
	`pms_username` text,
	`pms_password_sealed` text,
	`pms_transaction_format` text DEFAULT 'JSON' NOT NULL,
	`pms_namespace` text,
	`bookings_from_pms` integer DEFAULT false NOT NULL,
	`channel_code` text,
	`contact` text,
	`guest_mails` text,
	`branding` text,
	`retention` text,
	`webhook_endpoints` text DEFAULT '[]' NOT NULL,
	`clock_ahead_ms` integer DEFAULT 0 NOT NULL,
	`clock_stands_at_ms` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	CONSTRAINT "properties_fees" CHECK("properties"."card_fee_basis_points" BETWEEN 0 AND 9999 AND "properties"."transaction_fee_minor" >= 0)
);
--> statement-breakpoint
CREATE INDEX `properties_with_moved_clock` ON `properties` (`id`) WHERE "properties"."clock_ahead_ms" > 0 OR "properties"."clock_stands_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `properties_by_portfolio` ON `properties` (`portfolio`,`id`);--> statement-breakpoint
CREATE INDEX `properties_by_pms_user` ON `properties` (`pms_username`);--> statement-breakpoint
CREATE INDEX `properties_by_pms_url` ON `properties` (`pms_url`);--> statement-breakpoint
CREATE INDEX `properties_by_key` ON `properties` (`pms_password_sealed`);--> statement-breakpoint
CREATE TABLE `exceptions` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text,
	`booking_reference` text,
	`gateway` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`ours` text,
	`theirs` text,
	`found_at_ms` integer NOT NULL,
	`status` text NOT NULL,
	`resolution` text,
	`resolved_at_ms` integer,
	`detail` text NOT NULL,
	CONSTRAINT "exceptions_resolution" CHECK(("exceptions"."status" = 'open') = ("exceptions"."resolution" IS NULL) AND ("exceptions"."status" = 'open') = ("exceptions"."resolved_at_ms" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `exceptions_open` ON `exceptions` (`property_id`,`id`) WHERE "exceptions"."status" = 'open';--> statement-breakpoint
CREATE INDEX `exceptions_newest_open` ON `exceptions` (`id`) WHERE "exceptions"."status" = 'open';--> statement-breakpoint
CREATE INDEX `exceptions_by_property` ON `exceptions` (`property_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `exceptions_subject` ON `exceptions` (`gateway`,`kind`,`subject`);--> statement-breakpoint
CREATE TABLE `reconciliation_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`gateway` text NOT NULL,
	`account` text,
	`property_id` text,
	`cause` text NOT NULL,
	`from_ms` integer NOT NULL,
	`to_ms` integer NOT NULL,
	`phase` text NOT NULL,
	`cursor` text,
	`compared` integer DEFAULT 0 NOT NULL,
	`corrected` integer DEFAULT 0 NOT NULL,
	`exceptions` integer DEFAULT 0 NOT NULL,
	`left_from_ms` integer,
	`leased_until_ms` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`started_at_ms` integer NOT NULL,
	`completed_at_ms` integer,
	CONSTRAINT "reconciliation_runs_phase" CHECK("reconciliation_runs"."phase" IN ('theirs', 'ours', 'holds', 'done'))
);
--> statement-breakpoint
CREATE INDEX `reconciliation_runs_open` ON `reconciliation_runs` (`started_at_ms`) WHERE "reconciliation_runs"."completed_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX `reconciliation_runs_by_account` ON `reconciliation_runs` (`gateway`,`account`,`started_at_ms`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`property_id` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`request_id` text NOT NULL,
	`command_reference` text,
	`answer` blob,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`property_id`, `operation`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `secret_answers` (
	`client_id` text NOT NULL,
	`property_id` text,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`answer_sealed` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`client_id`, `operation`, `key`)
);
--> statement-breakpoint
CREATE TABLE `settings_changes` (
	`place` text NOT NULL,
	`id` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`actor` text NOT NULL,
	`subject` text NOT NULL,
	`from_state` text,
	`to_state` text NOT NULL,
	`detail` text,
	`actor_name` text,
	PRIMARY KEY(`place`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
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
	`reminder_mail` text,
	`answer_card` text,
	`flagged_at_ms` integer,
	`due_at_ms` integer,
	`ended_at_ms` integer,
	`ended_as` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	`of_settlement` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "recoveries_ended" CHECK(("recoveries"."ended_at_ms" IS NULL) = ("recoveries"."ended_as" IS NULL)),
	CONSTRAINT "recoveries_done" CHECK("recoveries"."ended_at_ms" IS NULL OR "recoveries"."due_at_ms" IS NULL),
	CONSTRAINT "recoveries_asked" CHECK("recoveries"."asked_for_cause" BETWEEN 0 AND "recoveries"."asked" AND ("recoveries"."asked_for_cause" = 0 OR "recoveries"."deadline_at_ms" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `recoveries_by_booking` ON `recoveries` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `recoveries_by_time` ON `recoveries` (`property_id`,`charge_at_ms`,`transaction_id`) WHERE "recoveries"."ended_as" IS NULL OR "recoveries"."ended_as" = 'unanswered';--> statement-breakpoint
CREATE INDEX `recoveries_anywhere` ON `recoveries` (`charge_at_ms`,`transaction_id`) WHERE "recoveries"."ended_as" IS NULL OR "recoveries"."ended_as" = 'unanswered';--> statement-breakpoint
CREATE INDEX `recoveries_due` ON `recoveries` (`due_at_ms`) WHERE "recoveries"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `recoveries_by_card` ON `recoveries` (`card_token`);--> statement-breakpoint
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
CREATE TABLE `room_catalogues` (
	`property_id` text PRIMARY KEY NOT NULL,
	`room_types` text NOT NULL,
	`fetched_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `room_restrictions` (
	`property_id` text NOT NULL,
	`room_type_code` text NOT NULL,
	`day` text NOT NULL,
	`min_los` integer,
	`closed` integer,
	`closed_to_arrival` integer,
	`closed_to_departure` integer,
	PRIMARY KEY(`property_id`, `room_type_code`, `day`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "room_restrictions_stay" CHECK("room_restrictions"."min_los" IS NULL OR "room_restrictions"."min_los" >= 0)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `settlements` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`quote_id` text NOT NULL,
	`terms` text NOT NULL,
	`steps` text NOT NULL,
	`status` text NOT NULL,
	`due_at_ms` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`ended_at_ms` integer,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "settlements_status" CHECK("settlements"."status" IN ('settling', 'settled', 'incomplete')),
	CONSTRAINT "settlements_ended" CHECK(("settlements"."status" = 'settling') = ("settlements"."ended_at_ms" IS NULL)),
	CONSTRAINT "settlements_due" CHECK(("settlements"."status" = 'settling') = ("settlements"."due_at_ms" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `settlements_of_quote` ON `settlements` (`property_id`,`quote_id`);--> statement-breakpoint
CREATE INDEX `settlements_by_booking` ON `settlements` (`property_id`,`booking_reference`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `settlements_by_time` ON `settlements` (`property_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `settlements_due` ON `settlements` (`due_at_ms`) WHERE "settlements"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `settlements_incomplete` ON `settlements` (`property_id`,`ended_at_ms`,`id`) WHERE "settlements"."status" = 'incomplete';--> statement-breakpoint
CREATE INDEX `settlements_incomplete_anywhere` ON `settlements` (`ended_at_ms`,`id`) WHERE "settlements"."status" = 'incomplete';--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`device` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`last_used_at_ms` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `passkeys_by_user` ON `passkeys` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`digest` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer,
	`secret_sealed` text,
	`extra_at_ms` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_by_user` ON `sign_in_links` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `staff_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`device` text NOT NULL,
	`started_at_ms` integer NOT NULL,
	`seen_at_ms` integer NOT NULL,
	`until_ms` integer NOT NULL,
	`ended_at_ms` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `staff_sessions_by_user` ON `staff_sessions` (`user_id`,`started_at_ms`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`language` text,
	`role` text NOT NULL,
	`property_id` text,
	`portfolio` text,
	`active` integer DEFAULT true NOT NULL,
	`refund_limit_minor` integer,
	`refund_limit_currency` text,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('viewer', 'accountant', 'cashier', 'manager', 'admin')),
	CONSTRAINT "users_place" CHECK(("users"."property_id" IS NULL OR "users"."portfolio" IS NULL) AND ("users"."role" = 'admin' OR "users"."property_id" IS NOT NULL OR "users"."portfolio" IS NOT NULL)),
	CONSTRAINT "users_refund_limit" CHECK(("users"."refund_limit_minor" IS NULL) = ("users"."refund_limit_currency" IS NULL) AND ("users"."refund_limit_minor" IS NULL OR "users"."property_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `day_failures` (
	`property_id` text NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`decline_code` text NOT NULL,
	`number` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	PRIMARY KEY(`property_id`, `day`, `currency`, `status`, `decline_code`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `day_sums` (
	`property_id` text NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`movement` text NOT NULL,
	`brand` text NOT NULL,
	`agency` text NOT NULL,
	`purpose` text NOT NULL,
	`actor` text NOT NULL,
	`actor_name` text,
	`number` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	PRIMARY KEY(`property_id`, `day`, `currency`, `movement`, `brand`, `agency`, `purpose`, `actor`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `day_sums_progress` (
	`property_id` text PRIMARY KEY NOT NULL,
	`event_number` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER applications_version BEFORE UPDATE ON applications
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_version BEFORE UPDATE ON bookings
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER disputes_version BEFORE UPDATE ON disputes
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER payment_plans_version BEFORE UPDATE ON payment_plans
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER properties_version BEFORE UPDATE ON properties
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER recoveries_version BEFORE UPDATE ON recoveries
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_version BEFORE UPDATE ON refunds
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER settlements_version BEFORE UPDATE ON settlements
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_version BEFORE UPDATE ON transactions
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_version BEFORE UPDATE ON webhook_endpoints
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER disbursement_items_are_not_changed BEFORE UPDATE ON disbursement_items
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER disbursement_items_are_not_deleted BEFORE DELETE ON disbursement_items
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER settings_changes_are_not_changed BEFORE UPDATE ON settings_changes
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER settings_changes_are_not_deleted BEFORE DELETE ON settings_changes
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER bank_lines_identity_is_fixed BEFORE UPDATE OF property_id, id, date, currency, amount_minor ON bank_lines
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_identity_is_fixed BEFORE UPDATE OF currency, property_id, reference ON bookings
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER disputes_identity_is_fixed BEFORE UPDATE OF property_id, id, booking_reference, transaction_id, currency ON disputes
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER mails_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, kind, event_type, subject_kind, subject_id, created_at_ms ON mails
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER payment_plans_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, currency, created_at_ms ON payment_plans
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER outbox_identity_is_fixed BEFORE UPDATE OF property_id, booking_reference, message_id, message_type ON outbox
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, reference, currency, transaction_id, amount_minor ON refunds
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER settlements_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, quote_id, terms, steps ON settlements
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_identity_is_fixed BEFORE UPDATE OF id, property_id, booking_reference, reference, currency, kind, plan_id, part_id ON transactions
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_identity_is_fixed BEFORE UPDATE OF endpoint_id, event_number, property_id, booking_reference ON webhook_deliveries
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER card_requests_are_final BEFORE UPDATE OF status ON card_requests
WHEN OLD.status <> 'Open'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER exceptions_are_final BEFORE UPDATE OF property_id, booking_reference, gateway, kind, subject, ours, theirs, status, resolution, resolved_at_ms ON exceptions
WHEN OLD.resolution = 'accepted'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER export_runs_are_final BEFORE UPDATE OF status, sha256, rows, bytes ON export_runs
WHEN OLD.status <> 'Running' AND OLD.stale_since_ms IS NULL
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER mails_are_final BEFORE UPDATE OF status, attempts, due_at_ms, last_error, morning, summed_up_in, completed_at_ms ON mails
WHEN OLD.status <> 'Pending'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER outbox_are_final BEFORE UPDATE OF status ON outbox
WHEN OLD.status IN ('Confirmed', 'Dismissed') AND NOT (NEW.status = 'Pending' AND NEW.attempts = 0 AND NEW.completed_at_ms IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER properties_currency_in_use BEFORE UPDATE OF currency ON properties
WHEN NEW.currency <> OLD.currency AND (
  EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.id)
  OR EXISTS (SELECT 1 FROM applications WHERE property_id = OLD.id))
BEGIN
  SELECT RAISE(ABORT, 'currency_in_use');
END;
--> statement-breakpoint
-- A booking is made in its property's currency and keeps it.
CREATE TRIGGER bookings_currency BEFORE INSERT ON bookings
WHEN NEW.currency IS NOT (SELECT currency FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_changed_on_current_property BEFORE UPDATE OF property_version ON bookings
WHEN NEW.property_version IS NOT NULL AND NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- No card is removed while another booking's schedule or hold needs it, and none takes a card that was just removed.
CREATE TRIGGER cards_needed_elsewhere BEFORE UPDATE OF removed_at_ms ON cards
WHEN NEW.removed_at_ms IS NOT NULL AND EXISTS (SELECT 1 FROM transactions
  WHERE card_token = NEW.token AND completed_at_ms IS NULL AND kind <> 'charge'
  AND booking_reference IS NOT NEW.booking_reference)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- One of a part that is not charged yet, which no transaction is, follows that part until it has its charge.
CREATE TRIGGER recoveries_identity_is_fixed BEFORE UPDATE OF transaction_id, property_id, booking_reference, charge_at_ms ON recoveries
WHEN NEW.property_id <> OLD.property_id OR NEW.booking_reference <> OLD.booking_reference
  OR (NEW.transaction_id <> OLD.transaction_id OR NEW.charge_at_ms <> OLD.charge_at_ms)
  AND EXISTS (SELECT 1 FROM transactions WHERE id = OLD.transaction_id)
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
-- A booking that is archived comes back before it is saved.
CREATE TRIGGER bookings_archived BEFORE INSERT ON bookings
WHEN EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.reference AND state = 'archived')
BEGIN
  SELECT RAISE(ABORT, 'archived');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_states BEFORE UPDATE OF status ON refunds
WHEN NOT (
  (OLD.status = 'Processing' AND NEW.status IN ('Refunded', 'Failed'))
  OR (OLD.status = 'Refunded' AND NEW.status = 'Failed')
  OR (OLD.status = 'Failed' AND NEW.status = 'Refunded' AND NEW.corrected_at_ms IS NOT NULL AND NEW.corrected_at_ms IS NOT OLD.corrected_at_ms)
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_decided_on_current_property BEFORE INSERT ON refunds
WHEN NEW.property_version IS NOT NULL AND NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
  AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_not_of_disputed_charges BEFORE INSERT ON refunds
WHEN NEW.origin = 'service' AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open') AND EXISTS (
  SELECT 1 FROM disputes
  WHERE property_id = NEW.property_id AND transaction_id = NEW.transaction_id AND (funds_withdrawn OR status = 'lost')
    AND id IN (SELECT id FROM disputes WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference)
)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- A transaction may only be recorded under the booking and the terms that it was decided with.
CREATE TRIGGER transactions_decided_on_current_state BEFORE INSERT ON transactions
WHEN (NEW.booking_version IS NOT (SELECT version FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference)
  OR NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id))
  AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- References are random or hashes: a booking has each once. Its history names its transactions.
CREATE TRIGGER transactions_reference_is_new BEFORE INSERT ON transactions
WHEN EXISTS (SELECT 1 FROM transactions WHERE reference = NEW.reference AND id <> NEW.id AND id IN (
  SELECT charge_id FROM history WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference))
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- A schedule that fires takes the card of the booking as it is now.
CREATE TRIGGER transactions_fired_on_current_state BEFORE UPDATE OF booking_version ON transactions
WHEN NEW.booking_version IS NOT (SELECT version FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- What an operation tells the PMS depends on the property, so it names the version of the property it was decided with.
CREATE TRIGGER transactions_continued_on_current_property BEFORE UPDATE OF property_version ON transactions
WHEN NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- What was declined is made again once at a time, and never once that was taken. A correction may still accept a second.
CREATE TRIGGER transactions_replace_once BEFORE INSERT ON transactions
WHEN NEW.replaces_charge IS NOT NULL AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open') AND (
  NOT EXISTS (SELECT 1 FROM transactions WHERE id = NEW.replaces_charge AND property_id = NEW.property_id
    AND booking_reference = NEW.booking_reference AND status = 'Declined')
  OR EXISTS (SELECT 1 FROM transactions WHERE replaces_charge = NEW.replaces_charge AND status IN ('Processing', 'Accepted')))
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_replaced_is_fixed BEFORE UPDATE OF replaces_charge ON transactions
WHEN NEW.replaces_charge IS NOT OLD.replaces_charge
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_states BEFORE UPDATE OF status ON transactions
WHEN NOT (
  (OLD.status = 'Pending' AND NEW.status IN ('Processing', 'Declined', 'Failed', 'Cancelled'))
  OR (OLD.status = 'Authorized' AND NEW.status = 'Processing')
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND NEW.status IN ('Accepted', 'Declined', 'Failed'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND OLD.kind = 'schedule' AND NEW.status IN ('Pending', 'Cancelled'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'authorize' AND NEW.status IN ('Authorized', 'Declined', 'Failed', 'Released'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'capture' AND NEW.status IN ('Accepted', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'release' AND NEW.status IN ('Released', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'expire' AND NEW.status IN ('Expired', 'Authorized'))
  OR (NEW.corrected_at_ms IS NOT NULL AND NEW.corrected_at_ms IS NOT OLD.corrected_at_ms AND (
    (NEW.status = 'Accepted' AND OLD.status <> 'Accepted')
    OR (NEW.status = 'Released' AND OLD.status IN ('Authorized', 'Processing'))
    OR (NEW.status = 'Authorized' AND OLD.kind = 'authorization' AND (
      OLD.status IN ('Failed', 'Declined') OR (OLD.status = 'Released' AND OLD.gateway_reference IS NULL)))
  ))
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER transactions_of_removed_cards BEFORE INSERT ON transactions
WHEN NEW.card_named AND NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'open') AND EXISTS (SELECT 1 FROM cards WHERE token = NEW.card_token AND removed_at_ms IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- The history only grows. Reconciliation marks a movement once, and an erasure takes away what tells of a guest.
CREATE TRIGGER history_is_not_changed BEFORE UPDATE OF reconciled_at_ms ON history
WHEN NEW.reconciled_at_ms IS NULL OR OLD.reconciled_at_ms IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER history_is_fixed BEFORE UPDATE OF property_id, booking_reference, sequence, at_ms, recorded_at_ms, actor, actor_name, subject_kind, subject_id,
  from_state, to_state, type, event_number, event_sequence, event_salt, new_contact_id, message_id, charge_id, movement, currency, amount_minor, fee_minor,
  waived_minor, gateway, gateway_reference, occurred_at_ms, scheduled_minor, uncertain_minor, held_minor, planned_minor, total_cost_minor ON history
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER history_tells_of_guests BEFORE UPDATE OF detail, snapshot ON history
WHEN (NEW.detail IS NOT NULL AND NEW.detail IS NOT OLD.detail) OR (NEW.snapshot IS NULL) <> (OLD.snapshot IS NULL) OR NOT (
  EXISTS (SELECT 1 FROM bookings WHERE property_id = OLD.property_id AND reference = OLD.booking_reference AND erased_at_ms IS NOT NULL)
  OR (OLD.subject_kind = 'application' AND EXISTS (SELECT 1 FROM applications
    WHERE property_id = OLD.property_id AND erased_at_ms IS NOT NULL
      AND (application_number = OLD.subject_id OR (application_number IS NULL AND booking_id = CAST(OLD.subject_id AS INTEGER))))))
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
-- A charge is taken once.
CREATE TRIGGER history_takes_once AFTER INSERT ON history
WHEN NEW.movement IN ('charge', 'capture') AND EXISTS (
  SELECT 1 FROM history WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference
    AND sequence <> NEW.sequence AND charge_id = NEW.charge_id AND movement IN ('charge', 'capture'))
BEGIN
  SELECT RAISE(ABORT, 'taken_twice');
END;
--> statement-breakpoint
-- A booking that moves to the archive takes its history along.
CREATE TRIGGER history_is_not_deleted BEFORE DELETE ON history
WHEN NOT EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = OLD.property_id AND reference = OLD.booking_reference AND state = 'open')
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
-- The history of an archived booking goes on once that is back.
CREATE TRIGGER history_of_archived_bookings BEFORE INSERT ON history
WHEN NEW.booking_reference <> '' AND EXISTS (SELECT 1 FROM archived_bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference AND state = 'archived')
BEGIN
  SELECT RAISE(ABORT, 'archived');
END;
--> statement-breakpoint
-- What a message says stays, until it is settled and let go. An erasure takes its guest out.
CREATE TRIGGER outbox_payload_stays BEFORE UPDATE OF payload ON outbox
WHEN CASE WHEN NEW.payload IS NULL THEN OLD.status NOT IN ('Confirmed', 'Dismissed')
  ELSE NOT EXISTS (SELECT 1 FROM bookings
    WHERE property_id = OLD.property_id AND reference = OLD.booking_reference AND erased_at_ms IS NOT NULL) END
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER disbursement_items_currency BEFORE INSERT ON disbursement_items
WHEN NEW.currency IS NOT (SELECT currency FROM disbursements WHERE property_id = NEW.property_id AND id = NEW.disbursement_id)
BEGIN
  SELECT RAISE(ABORT, 'another_currency');
END;
