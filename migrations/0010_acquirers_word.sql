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
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`property_id`, `id`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disputes_amount" CHECK("disputes"."amount_minor" > 0 AND "disputes"."fee_minor" >= 0),
	CONSTRAINT "disputes_status" CHECK("disputes"."status" IN ('needs_response', 'under_review', 'won', 'lost'))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `disputes_by_booking` ON `disputes` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `disputes_by_time` ON `disputes` (`property_id`,`opened_at_ms`,`id`);--> statement-breakpoint
CREATE TABLE `journal` (
	`transaction_id` integer NOT NULL,
	`number` integer NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`refund_id` integer,
	`dispute_id` text,
	`kind` text NOT NULL,
	`currency` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`fee_minor` integer NOT NULL,
	`gateway` text NOT NULL,
	`gateway_reference` text,
	`occurred_at_ms` integer NOT NULL,
	`recorded_at_ms` integer NOT NULL,
	`reconciled_at_ms` integer,
	PRIMARY KEY(`transaction_id`, `number`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "journal_kind" CHECK("journal"."kind" IN ('charge', 'capture', 'refund', 'reversal', 'chargeback', 'chargeback_reversal', 'correction')),
	CONSTRAINT "journal_taken_first" CHECK(("journal"."number" = 1) = ("journal"."kind" IN ('charge', 'capture'))),
	CONSTRAINT "journal_sign" CHECK(("journal"."kind" NOT IN ('charge', 'capture', 'reversal', 'chargeback_reversal') OR "journal"."amount_minor" > 0) AND ("journal"."kind" NOT IN ('refund', 'chargeback') OR "journal"."amount_minor" < 0))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `journal_by_time` ON `journal` (`property_id`,`occurred_at_ms`);--> statement-breakpoint
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
CREATE INDEX `exceptions_open` ON `exceptions` (`found_at_ms`) WHERE "exceptions"."status" = 'open';--> statement-breakpoint
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
	`leased_until_ms` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`started_at_ms` integer NOT NULL,
	`completed_at_ms` integer,
	CONSTRAINT "reconciliation_runs_phase" CHECK("reconciliation_runs"."phase" IN ('theirs', 'ours', 'holds', 'done'))
);
--> statement-breakpoint
CREATE INDEX `reconciliation_runs_open` ON `reconciliation_runs` (`started_at_ms`) WHERE "reconciliation_runs"."completed_at_ms" IS NULL;--> statement-breakpoint
CREATE INDEX `reconciliation_runs_by_account` ON `reconciliation_runs` (`gateway`,`account`,`started_at_ms`);--> statement-breakpoint
DROP INDEX `card_requests_by_email`;--> statement-breakpoint
CREATE INDEX `card_requests_by_email` ON `card_requests` (`property_id`,lower("email"),`created_at_ms`);--> statement-breakpoint
ALTER TABLE `bookings` ADD `property_version` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `pending_cancelled_version` integer;--> statement-breakpoint
ALTER TABLE `card_entries` ADD `property_id` text;--> statement-breakpoint
ALTER TABLE `card_entries` ADD `booking_reference` text;--> statement-breakpoint
CREATE INDEX `card_entries_by_booking` ON `card_entries` (`property_id`,`booking_reference`,`at_ms`) WHERE "card_entries"."booking_reference" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `cards` ADD `funding` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `cards` ADD `issuer_country` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `origin` text DEFAULT 'service' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `rejections` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `sent_at_ms` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `absent_at_ms` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `property_version` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `learnt_at_ms` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `corrected_at_ms` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_of_gateway` ON `refunds` (`property_id`,`gateway_reference`) WHERE "refunds"."origin" = 'gateway';--> statement-breakpoint
ALTER TABLE `transactions` ADD `rejections` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `sent_at_ms` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `absent_at_ms` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `learnt_at_ms` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `corrected_at_ms` integer;--> statement-breakpoint
CREATE INDEX `transactions_rejected` ON `transactions` (`due_at_ms`) WHERE "transactions"."status" = 'Pending' AND "transactions"."rejections" > 0;--> statement-breakpoint
-- The state machine of 0001, with corrections: the acquirer's certain record outranks ours. Only an update that notes the
-- correction may leave a final state.
DROP TRIGGER transactions_states;
--> statement-breakpoint
CREATE TRIGGER transactions_states BEFORE UPDATE OF status ON transactions
WHEN NOT (
  (OLD.status = 'Pending' AND NEW.status IN ('Processing', 'Declined', 'Failed', 'Cancelled'))
  OR (OLD.status = 'Authorized' AND NEW.status = 'Processing')
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND NEW.status IN ('Accepted', 'Declined', 'Failed'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'charge' AND OLD.kind = 'schedule' AND NEW.status = 'Pending')
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'authorize' AND NEW.status IN ('Authorized', 'Declined', 'Failed'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'capture' AND NEW.status IN ('Accepted', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'release' AND NEW.status IN ('Released', 'Authorized'))
  OR (OLD.status = 'Processing' AND OLD.pending_operation = 'expire' AND NEW.status IN ('Expired', 'Authorized'))
  OR (NEW.corrected_at_ms IS NOT NULL AND NEW.corrected_at_ms IS NOT OLD.corrected_at_ms AND (
    (NEW.status = 'Accepted' AND OLD.status <> 'Accepted')
    OR (NEW.status = 'Released' AND OLD.status IN ('Authorized', 'Processing'))
    OR (NEW.status = 'Authorized' AND OLD.kind = 'authorization' AND OLD.status IN ('Failed', 'Declined'))
  ))
)
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
DROP TRIGGER refunds_states;
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
-- What an operation tells the PMS depends on the property, so it names the version of the property it was decided with.
CREATE TRIGGER transactions_continued_on_current_property BEFORE UPDATE OF property_version ON transactions
WHEN NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER refunds_decided_on_current_property BEFORE INSERT ON refunds
WHEN NEW.property_version IS NOT NULL AND NEW.property_version IS NOT (SELECT version FROM properties WHERE id = NEW.property_id)
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
CREATE TRIGGER disputes_version BEFORE UPDATE ON disputes
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER disputes_identity_is_fixed BEFORE UPDATE OF property_id, id, booking_reference, transaction_id, currency ON disputes
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
-- An accepted exception stays accepted.
CREATE TRIGGER exceptions_accepted_are_final BEFORE UPDATE ON exceptions
WHEN OLD.resolution = 'accepted'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
-- The journal: every change of a charge, refund or dispute that moves money writes its row.
CREATE TRIGGER journal_of_charges AFTER UPDATE OF status ON transactions
WHEN NEW.status = 'Accepted' AND OLD.status <> 'Accepted'
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  VALUES (1, NEW.property_id, NEW.booking_reference, NEW.id, CASE NEW.kind WHEN 'authorization' THEN 'capture' ELSE 'charge' END,
    NEW.currency, NEW.amount_minor, NEW.transaction_fee_minor + NEW.card_fee_minor, NEW.gateway, NEW.gateway_reference,
    coalesce(NEW.settled_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.settled_at_ms, NEW.created_at_ms));
END;
--> statement-breakpoint
CREATE TRIGGER journal_of_new_charges AFTER INSERT ON transactions
WHEN NEW.status = 'Accepted'
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  VALUES (1, NEW.property_id, NEW.booking_reference, NEW.id, CASE NEW.kind WHEN 'authorization' THEN 'capture' ELSE 'charge' END,
    NEW.currency, NEW.amount_minor, NEW.transaction_fee_minor + NEW.card_fee_minor, NEW.gateway, NEW.gateway_reference,
    coalesce(NEW.settled_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.settled_at_ms, NEW.created_at_ms));
END;
--> statement-breakpoint
CREATE TRIGGER journal_of_corrected_amounts AFTER UPDATE OF amount_minor, transaction_fee_minor, card_fee_minor ON transactions
WHEN OLD.status = 'Accepted' AND (NEW.amount_minor <> OLD.amount_minor OR NEW.requested_minor <> OLD.requested_minor)
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  VALUES ((SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.id), NEW.property_id, NEW.booking_reference, NEW.id, 'correction', NEW.currency, NEW.amount_minor - OLD.amount_minor,
    NEW.transaction_fee_minor + NEW.card_fee_minor - OLD.transaction_fee_minor - OLD.card_fee_minor, NEW.gateway, NEW.gateway_reference,
    coalesce(NEW.settled_at_ms, NEW.created_at_ms), coalesce(NEW.corrected_at_ms, NEW.settled_at_ms, NEW.created_at_ms));
END;
--> statement-breakpoint
CREATE TRIGGER journal_of_new_refunds AFTER INSERT ON refunds
WHEN NEW.status = 'Refunded'
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, refund_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id, 'refund', NEW.currency, -NEW.amount_minor, 0, gateway, NEW.gateway_reference,
    coalesce(NEW.settled_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.settled_at_ms, NEW.created_at_ms)
  FROM transactions WHERE id = NEW.transaction_id;
END;
--> statement-breakpoint
CREATE TRIGGER journal_of_refunds AFTER UPDATE OF status ON refunds
WHEN NEW.status <> OLD.status AND (NEW.status = 'Refunded' OR OLD.status = 'Refunded')
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, refund_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id,
    CASE NEW.status WHEN 'Refunded' THEN 'refund' ELSE 'reversal' END, NEW.currency,
    CASE NEW.status WHEN 'Refunded' THEN -NEW.amount_minor ELSE NEW.amount_minor END, 0, gateway, NEW.gateway_reference,
    coalesce(NEW.settled_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.settled_at_ms, NEW.created_at_ms)
  FROM transactions WHERE id = NEW.transaction_id;
END;
--> statement-breakpoint
CREATE TRIGGER journal_of_new_disputes AFTER INSERT ON disputes
WHEN NEW.funds_withdrawn
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, dispute_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id, 'chargeback', NEW.currency, -NEW.amount_minor, 0, gateway, NEW.id, NEW.changed_at_ms, NEW.learnt_at_ms
  FROM transactions WHERE id = NEW.transaction_id;
END;
--> statement-breakpoint
CREATE TRIGGER journal_of_disputes AFTER UPDATE OF funds_withdrawn ON disputes
WHEN NEW.funds_withdrawn <> OLD.funds_withdrawn
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, dispute_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id,
    CASE WHEN NEW.funds_withdrawn THEN 'chargeback' ELSE 'chargeback_reversal' END, NEW.currency,
    CASE WHEN NEW.funds_withdrawn THEN -NEW.amount_minor ELSE OLD.amount_minor END, 0, gateway, NEW.id, NEW.changed_at_ms, NEW.learnt_at_ms
  FROM transactions WHERE id = NEW.transaction_id;
END;
--> statement-breakpoint
-- Grouped by the booking, so that SQLite can look for one booking's rows before it sums them up.
CREATE VIEW charge_totals AS
SELECT t.property_id, t.booking_reference, t.id AS transaction_id,
  sum(CASE WHEN j.kind IN ('charge', 'capture', 'correction') THEN j.amount_minor ELSE 0 END) AS taken_minor,
  sum(j.fee_minor) AS fee_minor,
  -sum(CASE WHEN j.kind IN ('refund', 'reversal') THEN j.amount_minor ELSE 0 END) AS refunded_minor,
  -sum(CASE WHEN j.kind IN ('chargeback', 'chargeback_reversal') THEN j.amount_minor ELSE 0 END) AS disputed_minor
FROM transactions t JOIN journal j ON j.transaction_id = t.id
GROUP BY t.property_id, t.booking_reference, t.id;
--> statement-breakpoint
CREATE TRIGGER journal_is_not_changed BEFORE UPDATE ON journal
WHEN NEW.number IS NOT OLD.number OR NEW.property_id IS NOT OLD.property_id OR NEW.booking_reference IS NOT OLD.booking_reference
  OR NEW.transaction_id IS NOT OLD.transaction_id OR NEW.refund_id IS NOT OLD.refund_id OR NEW.dispute_id IS NOT OLD.dispute_id
  OR NEW.kind IS NOT OLD.kind OR NEW.currency IS NOT OLD.currency OR NEW.amount_minor IS NOT OLD.amount_minor
  OR NEW.fee_minor IS NOT OLD.fee_minor OR NEW.gateway IS NOT OLD.gateway OR NEW.gateway_reference IS NOT OLD.gateway_reference
  OR NEW.occurred_at_ms IS NOT OLD.occurred_at_ms OR NEW.recorded_at_ms IS NOT OLD.recorded_at_ms
  OR OLD.reconciled_at_ms IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
-- This service refunds no charge that is under dispute or was lost to one. A refund that the acquirer itself made is
-- recorded all the same.
CREATE TRIGGER refunds_not_of_disputed_charges BEFORE INSERT ON refunds
WHEN NEW.origin = 'service' AND EXISTS (
  SELECT 1 FROM disputes
  WHERE property_id = NEW.property_id AND transaction_id = NEW.transaction_id AND status <> 'won'
    AND id IN (SELECT id FROM disputes WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference)
)
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- What moved before the journal.
INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
SELECT 1, property_id, booking_reference, id, CASE kind WHEN 'authorization' THEN 'capture' ELSE 'charge' END, currency, amount_minor,
  transaction_fee_minor + card_fee_minor, gateway, gateway_reference, coalesce(settled_at_ms, created_at_ms), coalesce(settled_at_ms, created_at_ms)
FROM transactions WHERE status = 'Accepted' ORDER BY coalesce(settled_at_ms, created_at_ms);
--> statement-breakpoint
INSERT INTO journal (number, property_id, booking_reference, transaction_id, refund_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
SELECT 1 + row_number() OVER (PARTITION BY refunds.transaction_id ORDER BY refunds.id), refunds.property_id, refunds.booking_reference, refunds.transaction_id, refunds.id, 'refund', refunds.currency, -refunds.amount_minor, 0,
  transactions.gateway, refunds.gateway_reference, coalesce(refunds.settled_at_ms, refunds.created_at_ms), coalesce(refunds.settled_at_ms, refunds.created_at_ms)
FROM refunds JOIN transactions ON transactions.id = refunds.transaction_id
WHERE refunds.status = 'Refunded' ORDER BY coalesce(refunds.settled_at_ms, refunds.created_at_ms);
--> statement-breakpoint
INSERT INTO disputes (property_id, id, booking_reference, transaction_id, status, reason, currency, amount_minor, fee_minor, funds_withdrawn, opened_at_ms, changed_at_ms, learnt_at_ms)
SELECT property_id, json_extract(dispute, '$.id'), booking_reference, id,
  CASE json_extract(dispute, '$.status')
    WHEN 'won' THEN 'won' WHEN 'warning_closed' THEN 'won' WHEN 'lost' THEN 'lost'
    WHEN 'under_review' THEN 'under_review' WHEN 'warning_under_review' THEN 'under_review' ELSE 'needs_response' END,
  json_extract(dispute, '$.reason'), currency, json_extract(dispute, '$.amountMinor'), 0,
  status = 'Accepted' AND json_extract(dispute, '$.status') IN ('needs_response', 'under_review', 'lost'),
  json_extract(dispute, '$.openedAtMs'), json_extract(dispute, '$.openedAtMs'), json_extract(dispute, '$.openedAtMs')
FROM transactions WHERE dispute IS NOT NULL;
