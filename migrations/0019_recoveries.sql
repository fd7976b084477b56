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
	`mail_since_ms` integer,
	`mail_failures` integer DEFAULT 0 NOT NULL,
	`answer_card` text,
	`flagged_at_ms` integer,
	`due_at_ms` integer,
	`ended_at_ms` integer,
	`ended_as` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`property_id`,`booking_reference`) REFERENCES `bookings`(`property_id`,`reference`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "recoveries_ended" CHECK(("recoveries"."ended_at_ms" IS NULL) = ("recoveries"."ended_as" IS NULL)),
	CONSTRAINT "recoveries_done" CHECK("recoveries"."ended_at_ms" IS NULL OR "recoveries"."due_at_ms" IS NULL),
	CONSTRAINT "recoveries_asked" CHECK("recoveries"."asked_for_cause" BETWEEN 0 AND "recoveries"."asked" AND ("recoveries"."asked_for_cause" = 0 OR "recoveries"."deadline_at_ms" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `recoveries_by_booking` ON `recoveries` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE INDEX `recoveries_by_time` ON `recoveries` (`property_id`,`charge_at_ms`,`transaction_id`) WHERE "recoveries"."ended_as" IS NULL OR "recoveries"."ended_as" = 'unanswered';--> statement-breakpoint
CREATE INDEX `recoveries_due` ON `recoveries` (`due_at_ms`) WHERE "recoveries"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `recoveries_by_card` ON `recoveries` (`card_token`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `replaces_charge` integer;--> statement-breakpoint
CREATE INDEX `transactions_replacing` ON `transactions` (`replaces_charge`) WHERE "transactions"."replaces_charge" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `card_recovery` text;--> statement-breakpoint
CREATE INDEX `cards_by_gateway_token` ON `cards` (`gateway_token`);--> statement-breakpoint
-- by hand
-- A change must be decided on the state that it changes.
CREATE TRIGGER recoveries_version BEFORE UPDATE ON recoveries
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
CREATE TRIGGER recoveries_identity_is_fixed BEFORE UPDATE OF transaction_id, property_id, booking_reference, charge_at_ms ON recoveries
WHEN NEW.transaction_id <> OLD.transaction_id OR NEW.property_id <> OLD.property_id
  OR NEW.booking_reference <> OLD.booking_reference OR NEW.charge_at_ms <> OLD.charge_at_ms
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
-- What was declined is made again once at a time, and never once that was taken. A correction may still accept a second.
CREATE TRIGGER transactions_replace_once BEFORE INSERT ON transactions
WHEN NEW.replaces_charge IS NOT NULL AND (
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
-- Schedules whose card will have expired, wherever on earth: each is judged by its property's zone when it is due.
INSERT INTO recoveries (transaction_id, property_id, booking_reference, cause, charge_at_ms, card_token, due_at_ms, created_at_ms, changed_at_ms)
SELECT t.id, t.property_id, t.booking_reference, 'expiring', t.scheduled_at_ms, c.token, t.scheduled_at_ms - 1209600000,
  t.created_at_ms, t.created_at_ms
FROM transactions t
JOIN bookings b ON b.property_id = t.property_id AND b.reference = t.booking_reference
JOIN cards c ON c.token = CASE WHEN t.card_named THEN t.card_token ELSE b.card_token END
WHERE t.status = 'Pending'
  AND unixepoch(printf('%04d-%02d-01', c.expiry_year, c.expiry_month), '+1 month') * 1000 <= t.scheduled_at_ms + 50400000;
--> statement-breakpoint
-- Schedules that were declined before stay problems; nobody is asked about them.
INSERT INTO recoveries (transaction_id, property_id, booking_reference, cause, charge_at_ms, card_token, created_at_ms, changed_at_ms)
SELECT id, property_id, booking_reference, CASE decline_code WHEN 'authentication_required' THEN 'authentication' ELSE 'declined' END,
  scheduled_at_ms, card_token, coalesce(settled_at_ms, created_at_ms), coalesce(settled_at_ms, created_at_ms)
FROM transactions WHERE status = 'Declined' AND kind = 'schedule' AND card_token IS NOT NULL;
--> statement-breakpoint
-- Events show what a charge replaces.
DROP VIEW transaction_snapshots;
--> statement-breakpoint
CREATE VIEW transaction_snapshots AS
SELECT t.id, t.property_id, t.booking_reference, json_object(
  'row', json_insert(json_object(
    'id', t.id, 'bookingReference', t.booking_reference, 'reference', t.reference, 'kind', t.kind, 'purpose', t.purpose,
    'status', t.status, 'currency', t.currency, 'amountMinor', t.amount_minor, 'cardFeeMinor', t.card_fee_minor,
    'transactionFeeMinor', t.transaction_fee_minor, 'scheduledTime', t.scheduled_time, 'expiryTime', t.expiry_time,
    'expiresAtMs', t.expires_at_ms, 'attempts', t.attempts, 'createdAtMs', t.created_at_ms),
    '$.replacesCharge', t.replaces_charge),
  'card', json((SELECT json_object('token', c.token, 'brand', c.brand, 'last4', c.last4, 'funding', c.funding,
      'issuerCountry', c.issuer_country)
    FROM cards c WHERE c.token = t.card_token)),
  'refunds', json((SELECT json_group_array(json_object('id', r.id, 'reference', r.reference, 'status', r.status,
      'bookingReference', r.booking_reference, 'amountMinor', r.amount_minor, 'currency', r.currency,
      'createdAtMs', r.created_at_ms, 'origin', r.origin) ORDER BY r.id)
    FROM refunds r
    WHERE r.property_id = t.property_id AND r.booking_reference = t.booking_reference AND r.transaction_id = t.id)),
  'dispute', json((SELECT json_object('id', d.id, 'status', d.status, 'reason', d.reason, 'amountMinor', d.amount_minor,
      'currency', d.currency, 'openedAtMs', d.opened_at_ms)
    FROM disputes d
    WHERE d.property_id = t.property_id AND +d.transaction_id = t.id
      AND d.id IN (SELECT id FROM disputes WHERE property_id = t.property_id AND booking_reference = t.booking_reference)
    ORDER BY d.opened_at_ms DESC, d.id DESC LIMIT 1)),
  'timeZone', (SELECT time_zone FROM properties p WHERE p.id = t.property_id)) AS snapshot
FROM transactions t;
