CREATE TABLE `suppressed_addresses` (
	`digest` text PRIMARY KEY NOT NULL,
	`why` text NOT NULL,
	`since_ms` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `sender` text;--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `mail_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `local_mailbox_mail` ON `local_mailbox` (`mail_id`);--> statement-breakpoint
ALTER TABLE `properties` ADD `contact` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `guest_mails` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `branding` text;