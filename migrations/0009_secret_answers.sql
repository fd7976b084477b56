CREATE TABLE `secret_answers` (
	`client_id` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`answer_sealed` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`client_id`, `operation`, `key`)
);
