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
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contact_id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "applications_status" CHECK("applications"."current_status" IN ('Tentative', 'Offered', 'Held', 'Reserved', 'In Room', 'History', 'Cancelled')),
	CONSTRAINT "applications_origin" CHECK(("applications"."booking_type" = 'Online') = ("applications"."application_number" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `applications_by_customer` ON `applications` (`customer_id`);--> statement-breakpoint
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
	`last_customer_id` integer NOT NULL,
	`last_application_id` integer NOT NULL,
	`expected_rows` integer NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`object_key` text NOT NULL,
	`sha256` text,
	`failure` text,
	`due_at_ms` integer,
	`started_at_ms` integer NOT NULL,
	`finished_at_ms` integer,
	`removed_at_ms` integer,
	CONSTRAINT "export_runs_complete" CHECK("export_runs"."status" <> 'Complete' OR "export_runs"."sha256" IS NOT NULL)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `export_runs_daily` ON `export_runs` (`portfolio`,`variant`,`date`) WHERE "export_runs"."cause" = 'daily';--> statement-breakpoint
CREATE INDEX `export_runs_due` ON `export_runs` (`due_at_ms`) WHERE "export_runs"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `export_runs_by_day` ON `export_runs` (`portfolio`,`variant`,`date`);--> statement-breakpoint
CREATE TABLE `export_users` (
	`username` text PRIMARY KEY NOT NULL,
	`portfolio` text NOT NULL,
	`secret_digest` text NOT NULL,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
-- A change must be decided on the state that it changes.
CREATE TRIGGER applications_version BEFORE UPDATE ON applications
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- A run that is over stays as it ended.
CREATE TRIGGER export_runs_are_final BEFORE UPDATE OF status, sha256, rows, bytes ON export_runs
WHEN OLD.status <> 'Running'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
