-- (WITHOUT ROWID, like nightly_rates: it is reached by its key, and saves one written row that way.)
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
