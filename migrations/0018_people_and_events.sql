CREATE TABLE `events` (
	`property_id` text NOT NULL,
	`number` integer NOT NULL,
	`event_id` text NOT NULL,
	`booking_reference` text,
	`sequence` integer,
	`type` text NOT NULL,
	`at_ms` integer NOT NULL,
	`subject` text NOT NULL,
	`snapshot` text NOT NULL,
	PRIMARY KEY(`property_id`, `number`),
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "events_sequence" CHECK(("events"."booking_reference" IS NULL) = ("events"."sequence" IS NULL))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_by_booking` ON `events` (`property_id`,`booking_reference`,`sequence`);--> statement-breakpoint
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
CREATE INDEX `webhook_deliveries_open` ON `webhook_deliveries` (`endpoint_id`,`booking_reference`,`event_number`) WHERE "webhook_deliveries"."status" IN ('Pending', 'Dead');--> statement-breakpoint
CREATE INDEX `webhook_deliveries_dead` ON `webhook_deliveries` (`endpoint_id`) WHERE "webhook_deliveries"."status" = 'Dead';--> statement-breakpoint
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
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`kind` text NOT NULL,
	`event_type` text NOT NULL,
	`subject` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`last_error` text,
	`morning` text,
	`created_at_ms` integer NOT NULL,
	`settled_at_ms` integer,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "mails_status" CHECK("mails"."status" IN ('Pending', 'Sent', 'Suppressed', 'Dropped', 'Dead') AND ("mails"."status" = 'Pending') = ("mails"."due_at_ms" IS NOT NULL))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`property_id`,`due_at_ms`) WHERE "mails"."due_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_by_time` ON `mails` (`property_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `mails_by_booking` ON `mails` (`property_id`,`booking_reference`);--> statement-breakpoint
CREATE TABLE `suppressed_addresses` (
	`digest` text PRIMARY KEY NOT NULL,
	`why` text NOT NULL,
	`since_ms` integer NOT NULL
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
CREATE TABLE `sign_in_links` (
	`digest` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`used_at_ms` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_by_user` ON `sign_in_links` (`user_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`property_id` text,
	`portfolio` text,
	`active` integer DEFAULT true NOT NULL,
	`seeded` integer DEFAULT false NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	FOREIGN KEY (`property_id`) REFERENCES `properties`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" IN ('viewer', 'cashier', 'manager', 'admin')),
	CONSTRAINT "users_place" CHECK(("users"."property_id" IS NULL OR "users"."portfolio" IS NULL) AND ("users"."role" = 'admin' OR "users"."property_id" IS NOT NULL OR "users"."portfolio" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `sender` text;--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `local_mailbox` ADD `mail_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `local_mailbox_mail` ON `local_mailbox` (`mail_id`);--> statement-breakpoint
ALTER TABLE `transactions` ADD `replaces_charge` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `initiator` text DEFAULT 'property' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `return_url` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `bank_asked_at_ms` integer;--> statement-breakpoint
CREATE INDEX `transactions_by_amount` ON `transactions` (`property_id`,`amount_minor`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `transactions_at_bank` ON `transactions` (`property_id`) WHERE "transactions"."status" = 'Processing' AND "transactions"."bank_asked_at_ms" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_replacing` ON `transactions` (`replaces_charge`) WHERE "transactions"."replaces_charge" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `properties` ADD `refund_limit_minor` integer;--> statement-breakpoint
ALTER TABLE `properties` ADD `card_recovery` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `contact` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `guest_mails` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `branding` text;--> statement-breakpoint
ALTER TABLE `properties` ADD `webhook_endpoints` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_by_confirmation` ON `bookings` (`property_id`,`pms_confirmation_number`) WHERE "bookings"."pms_confirmation_number" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cards_by_gateway_token` ON `cards` (`gateway_token`);--> statement-breakpoint
CREATE INDEX `cards_by_last4` ON `cards` (`property_id`,`last4`,`created_at_ms`);
--> statement-breakpoint
-- by hand
-- (The tables events and webhook_deliveries are WITHOUT ROWID: they are reached by their keys, and each saves one written
-- row that way.)

-- How things are shown. A snapshot is taken from these views, so that each column that a list shows has one place here:
-- a later migration that adds one drops the view and creates it again. No function takes more than 32 arguments in D1.
CREATE VIEW transaction_snapshots AS
SELECT t.id, t.property_id, t.booking_reference, json_object(
  'row', json_insert(json_object(
    'id', t.id, 'bookingReference', t.booking_reference, 'reference', t.reference, 'kind', t.kind, 'purpose', t.purpose,
    'status', t.status, 'currency', t.currency, 'amountMinor', t.amount_minor, 'cardFeeMinor', t.card_fee_minor,
    'transactionFeeMinor', t.transaction_fee_minor, 'scheduledTime', t.scheduled_time, 'expiryTime', t.expiry_time,
    'expiresAtMs', t.expires_at_ms, 'attempts', t.attempts, 'createdAtMs', t.created_at_ms),
    '$.initiator', t.initiator, '$.replacesCharge', t.replaces_charge),
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
    ORDER BY d.opened_at_ms DESC, d.id DESC LIMIT 1))) AS snapshot
FROM transactions t;
--> statement-breakpoint
CREATE VIEW refund_snapshots AS
SELECT r.id, r.property_id, r.booking_reference, json_object(
  'row', json_object('id', r.id, 'reference', r.reference, 'status', r.status, 'bookingReference', r.booking_reference,
    'amountMinor', r.amount_minor, 'currency', r.currency, 'createdAtMs', r.created_at_ms, 'origin', r.origin),
  'card', json((SELECT json_object('token', c.token, 'brand', c.brand, 'last4', c.last4, 'funding', c.funding,
      'issuerCountry', c.issuer_country)
    FROM transactions t JOIN cards c ON c.token = t.card_token WHERE t.id = r.transaction_id))) AS snapshot
FROM refunds r;
--> statement-breakpoint
CREATE VIEW dispute_snapshots AS
SELECT d.property_id, d.id, json_object(
  'row', json_object('id', d.id, 'bookingReference', d.booking_reference, 'transactionId', d.transaction_id,
    'amountMinor', d.amount_minor, 'feeMinor', d.fee_minor, 'currency', d.currency, 'reason', d.reason,
    'status', d.status, 'respondByMs', d.respond_by_ms, 'openedAtMs', d.opened_at_ms, 'closedAtMs', d.closed_at_ms)) AS snapshot
FROM disputes d;
--> statement-breakpoint
-- Of a booking neither names nor addresses are taken, of a card neither its holder nor its expiry.
CREATE VIEW booking_snapshots AS
SELECT b.property_id, b.reference, json_object(
  'row', json_object('reference', b.reference, 'arrival', b.arrival, 'departure', b.departure, 'status', b.status,
    'totalCostMinor', b.total_cost_minor, 'currency', b.currency, 'createdAtMs', b.created_at_ms,
    'updatedAtMs', b.updated_at_ms),
  'card', json((SELECT snapshot FROM card_snapshots c WHERE c.token = b.card_token)),
  'site', p.site, 'propertyName', p.name) AS snapshot
FROM bookings b JOIN properties p ON p.id = b.property_id;
--> statement-breakpoint
CREATE VIEW card_snapshots AS
SELECT token, json_object('token', token, 'brand', brand, 'masked', masked, 'funding', funding,
  'issuerCountry', issuer_country) AS snapshot
FROM cards;
--> statement-breakpoint
-- Of an application neither its e-mail address nor its agent's name, address and phone are taken.
CREATE VIEW application_snapshots AS
SELECT id, json_insert(
  json_insert(
    json_insert(
      json_object('applicationNumber', application_number, 'bookingReference', booking_reference, 'contactId', contact_id,
        'bookingType', booking_type, 'currentStatus', current_status, 'propertyId', property_id, 'gender', gender,
        'nationality', nationality, 'city', city, 'state', state, 'country', country, 'arrival', arrival,
        'departure', departure, 'currency', currency),
      '$.applicationAtMs', application_at_ms, '$.offeredAtMs', offered_at_ms, '$.heldAtMs', held_at_ms,
      '$.reservedAtMs', reserved_at_ms, '$.inRoomAtMs', in_room_at_ms, '$.historyAtMs', history_at_ms,
      '$.cancelledAtMs', cancelled_at_ms, '$.weeklyRateMinor', weekly_rate_minor, '$.totalMinor', total_minor,
      '$.dateOfBirth', date_of_birth, '$.ageOnArrival', age_on_arrival),
    '$.roomType', room_type, '$.rateType', rate_type, '$.residents', residents, '$.university', university,
    '$.courseName', course_name, '$.userAgent', user_agent,
    '$.agent', json(json_remove(agent, '$.name', '$.email', '$.phone')),
    '$.tenantApplications', json(tenant_applications)),
  '$.internationalStudent', json(CASE international_student WHEN 1 THEN 'true' WHEN 0 THEN 'false' END),
  '$.nonStudent', json(CASE non_student WHEN 1 THEN 'true' WHEN 0 THEN 'false' END),
  '$.inAustralia', json(CASE in_australia WHEN 1 THEN 'true' WHEN 0 THEN 'false' END),
  '$.under18', json(CASE under_18 WHEN 1 THEN 'true' WHEN 0 THEN 'false' END),
  '$.isMobile', json(CASE is_mobile WHEN 1 THEN 'true' WHEN 0 THEN 'false' END),
  '$.isTablet', json(CASE is_tablet WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)) AS snapshot
FROM applications;
--> statement-breakpoint
CREATE VIEW disbursement_snapshots AS
SELECT d.property_id, d.id, json_object(
  'row', json_object('id', d.id, 'gateway', d.gateway, 'status', d.status, 'currency', d.currency,
    'grossMinor', d.gross_minor, 'feeMinor', d.fee_minor, 'netMinor', d.net_minor, 'description', d.description,
    'effectiveAtMs', d.effective_at_ms, 'arrivalDate', d.arrival_date)) AS snapshot,
  -- What the property's clock shows.
  CASE WHEN p.clock_stands_at_ms IS NULL THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) + p.clock_ahead_ms
    ELSE max(p.clock_stands_at_ms, CAST(unixepoch('subsec') * 1000 AS INTEGER)) END AS now_ms
FROM disbursements d JOIN properties p ON p.id = d.property_id;
--> statement-breakpoint
-- (Where an index is named, SQLite would rather read the table by the beginning of its key.)
-- Whoever tells of an event inserts it here: the numbers are given in the order in which D1 commits. The snapshot gets the
-- time zone, which the times of the event are shown in for ever.
CREATE VIEW new_events AS
SELECT property_id, booking_reference, type, at_ms, subject, snapshot FROM events;
--> statement-breakpoint
CREATE TRIGGER new_events_are_numbered INSTEAD OF INSERT ON new_events
BEGIN
  INSERT INTO events (property_id, number, event_id, booking_reference, sequence, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, last.number + 1, 'evt_' || (last.number + 1) || '_' || lower(hex(randomblob(8))), NEW.booking_reference,
    CASE WHEN NEW.booking_reference IS NOT NULL THEN (
      SELECT coalesce(max(sequence), 0) + 1 FROM events INDEXED BY events_by_booking
      WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference) END,
    NEW.type, NEW.at_ms, NEW.subject,
    json_insert(NEW.snapshot, '$.timeZone', (SELECT time_zone FROM properties WHERE id = NEW.property_id))
  FROM (SELECT coalesce(max(number), 0) AS number FROM events WHERE property_id = NEW.property_id) AS last;
END;
--> statement-breakpoint
-- An event is delivered to each active endpoint that wants its type. It is due at once, unless an earlier one of its
-- booking is not settled there.
CREATE TRIGGER deliveries_of_events AFTER INSERT ON events
BEGIN
  INSERT INTO webhook_deliveries (endpoint_id, event_number, property_id, booking_reference, status, due_at_ms)
  SELECT e.id, NEW.number, NEW.property_id, NEW.booking_reference, 'Pending',
    CASE WHEN NEW.booking_reference IS NOT NULL AND EXISTS (
      SELECT 1 FROM webhook_deliveries d INDEXED BY webhook_deliveries_open
      WHERE d.endpoint_id = e.id AND d.booking_reference = NEW.booking_reference AND d.status IN ('Pending', 'Dead')
    ) THEN NULL ELSE NEW.at_ms END
  FROM webhook_endpoints e
  WHERE e.property_id = NEW.property_id AND e.active
    AND EXISTS (SELECT 1 FROM json_each(e.types) WHERE NEW.type GLOB json_each.value);
END;
--> statement-breakpoint
CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_are_of_their_events BEFORE UPDATE OF endpoint_id, event_number, property_id, booking_reference ON webhook_deliveries
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_version BEFORE UPDATE ON webhook_endpoints
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;
--> statement-breakpoint
-- Whoever has the property's row knows whom to notify of its events. The version makes those read again who remember it.
CREATE TRIGGER endpoints_of_property_new AFTER INSERT ON webhook_endpoints
WHEN NEW.active
BEGIN
  UPDATE properties SET version = version + 1, webhook_endpoints = (
    SELECT json_group_array(id ORDER BY id) FROM webhook_endpoints WHERE property_id = NEW.property_id AND active)
  WHERE id = NEW.property_id;
END;
--> statement-breakpoint
CREATE TRIGGER endpoints_of_property_changed AFTER UPDATE OF active ON webhook_endpoints
WHEN NEW.active <> OLD.active
BEGIN
  UPDATE properties SET version = version + 1, webhook_endpoints = (
    SELECT json_group_array(id ORDER BY id) FROM webhook_endpoints WHERE property_id = NEW.property_id AND active)
  WHERE id = NEW.property_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_new_bookings AFTER INSERT ON bookings
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.reference, CASE NEW.status WHEN 'cancelled' THEN 'booking.cancelled' ELSE 'booking.saved' END,
    NEW.updated_at_ms, 'booking', json_object('booking', json(snapshot))
  FROM booking_snapshots WHERE property_id = NEW.property_id AND reference = NEW.reference;
END;
--> statement-breakpoint
-- A save that changes nothing is no event; nor is the number that the PMS gives a booking, or the card in use.
CREATE TRIGGER events_of_changed_bookings AFTER UPDATE ON bookings
WHEN NEW.status <> OLD.status OR NEW.arrival <> OLD.arrival OR NEW.departure <> OLD.departure
  OR NEW.last_name <> OLD.last_name OR NEW.email <> OLD.email OR NEW.total_cost_minor <> OLD.total_cost_minor
  OR NEW.first_night_cost_minor <> OLD.first_night_cost_minor OR NEW.first_name IS NOT OLD.first_name
  OR NEW.phone IS NOT OLD.phone OR NEW.source IS NOT OLD.source OR NEW.room_stays IS NOT OLD.room_stays
  OR NEW.eta IS NOT OLD.eta OR NEW.notes IS NOT OLD.notes OR NEW.guest IS NOT OLD.guest
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.reference,
    CASE WHEN NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN 'booking.cancelled' ELSE 'booking.saved' END,
    NEW.updated_at_ms, 'booking', json_object('booking', json(snapshot))
  FROM booking_snapshots WHERE property_id = NEW.property_id AND reference = NEW.reference;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_new_cards AFTER INSERT ON cards
WHEN NEW.booking_reference IS NOT NULL
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'card.attached', NEW.created_at_ms, 'card ' || NEW.token,
    json_object('card', json(snapshot))
  FROM card_snapshots WHERE token = NEW.token;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_new_transactions AFTER INSERT ON transactions
WHEN NEW.status IN ('Pending', 'Accepted')
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference,
    CASE WHEN NEW.status = 'Pending' THEN 'schedule.created'
      WHEN NEW.kind = 'authorization' THEN 'authorization.captured' ELSE 'payment.accepted' END,
    NEW.created_at_ms, 'charge ' || NEW.id, json_object('transaction', json(snapshot))
  FROM transaction_snapshots WHERE id = NEW.id;
END;
--> statement-breakpoint
-- A change of state is one event. A correction is payment.corrected alone, whatever the state; a hold that stays after
-- all is an event only if its outcome was told to be unknown.
CREATE TRIGGER events_of_changed_transactions AFTER UPDATE OF status, corrected_at_ms, inquiries ON transactions
WHEN NEW.corrected_at_ms IS NOT OLD.corrected_at_ms
  OR (NEW.status = OLD.status AND NEW.status = 'Processing' AND OLD.inquiries = 0 AND NEW.inquiries > 0)
  OR (NEW.status <> OLD.status AND NEW.status <> 'Processing'
    AND (NEW.status <> 'Authorized' OR OLD.pending_operation = 'authorize' OR OLD.inquiries > 0))
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference,
    CASE WHEN NEW.corrected_at_ms IS NOT OLD.corrected_at_ms THEN 'payment.corrected'
      ELSE CASE NEW.status
        WHEN 'Processing' THEN 'payment.unknown'
        WHEN 'Accepted' THEN CASE NEW.kind WHEN 'authorization' THEN 'authorization.captured' ELSE 'payment.accepted' END
        WHEN 'Declined' THEN 'payment.declined'
        WHEN 'Failed' THEN 'payment.failed'
        WHEN 'Pending' THEN 'schedule.retrying'
        WHEN 'Cancelled' THEN 'schedule.cancelled'
        WHEN 'Authorized' THEN 'authorization.authorized'
        WHEN 'Released' THEN 'authorization.released'
        WHEN 'Expired' THEN 'authorization.expired'
      END
    END,
    coalesce(NEW.changed_at_ms, NEW.created_at_ms), 'charge ' || NEW.id, json_object('transaction', json(snapshot))
  FROM transaction_snapshots WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_new_refunds AFTER INSERT ON refunds
WHEN NEW.status <> 'Processing'
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, CASE NEW.status WHEN 'Refunded' THEN 'refund.refunded' ELSE 'refund.failed' END,
    coalesce(NEW.learnt_at_ms, NEW.created_at_ms), 'refund ' || NEW.id,
    json_object('refund', json(snapshot), 'chargeId', NEW.transaction_id)
  FROM refund_snapshots WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_changed_refunds AFTER UPDATE OF status ON refunds
WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, CASE NEW.status WHEN 'Refunded' THEN 'refund.refunded' ELSE 'refund.failed' END,
    coalesce(NEW.learnt_at_ms, NEW.created_at_ms), 'refund ' || NEW.id,
    json_object('refund', json(snapshot), 'chargeId', NEW.transaction_id)
  FROM refund_snapshots WHERE id = NEW.id;
END;
--> statement-breakpoint
-- A dispute that is over when it is learnt of was opened all the same.
CREATE TRIGGER events_of_new_disputes AFTER INSERT ON disputes
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'dispute.opened', NEW.learnt_at_ms, 'dispute ' || NEW.id,
    json_object('dispute', json(snapshot))
  FROM dispute_snapshots WHERE property_id = NEW.property_id AND id = NEW.id;
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'dispute.' || NEW.status, NEW.learnt_at_ms, 'dispute ' || NEW.id,
    json_object('dispute', json(snapshot))
  FROM dispute_snapshots WHERE property_id = NEW.property_id AND id = NEW.id AND NEW.status IN ('won', 'lost');
END;
--> statement-breakpoint
CREATE TRIGGER events_of_changed_disputes AFTER UPDATE OF status ON disputes
WHEN NEW.status <> OLD.status AND NEW.status IN ('won', 'lost')
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'dispute.' || NEW.status, NEW.learnt_at_ms, 'dispute ' || NEW.id,
    json_object('dispute', json(snapshot))
  FROM dispute_snapshots WHERE property_id = NEW.property_id AND id = NEW.id;
END;
--> statement-breakpoint
-- An application begins as Tentative; one that is linked to a booking with a deposit moves on at once.
CREATE TRIGGER events_of_new_applications AFTER INSERT ON applications
WHEN NEW.booking_type = 'Online' AND NEW.current_status <> 'Tentative'
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'application.moved', NEW.updated_at_ms, 'application ' || NEW.application_number,
    json_object('application', json(snapshot))
  FROM application_snapshots WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_changed_applications AFTER UPDATE OF current_status ON applications
WHEN NEW.current_status <> OLD.current_status
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'application.moved', NEW.updated_at_ms,
    'application ' || coalesce(NEW.application_number, NEW.booking_id), json_object('application', json(snapshot))
  FROM application_snapshots WHERE id = NEW.id;
END;
--> statement-breakpoint
-- A disbursement is paid out when all its items are there: what mirrors an acquirer writes the final status after them.
CREATE TRIGGER events_of_changed_disbursements AFTER UPDATE OF status ON disbursements
WHEN NEW.status <> OLD.status AND NEW.status IN ('paid_out', 'failed')
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NULL, 'disbursement.' || NEW.status, now_ms, 'disbursement ' || NEW.id,
    json_object('disbursement', json(snapshot))
  FROM disbursement_snapshots WHERE property_id = NEW.property_id AND id = NEW.id;
END;
--> statement-breakpoint
-- A booking is overpaid when a movement adds to what is paid and that exceeds the total cost. A total of 0 is not known.
-- (No view sums the journal up here: SQLite would sum up every booking's.)
CREATE TRIGGER events_of_overpayments AFTER INSERT ON journal
WHEN NEW.amount_minor > NEW.fee_minor
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'balance.overpaid', NEW.recorded_at_ms, 'booking',
    json_object('balance', json_object('bookingReference', NEW.booking_reference, 'currency', NEW.currency,
      'totalCostMinor', b.total_cost_minor, 'paidMinor', p.paid_minor, 'overpaidMinor', p.paid_minor - b.total_cost_minor))
  FROM (SELECT total_cost_minor FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference) AS b,
    -- What the charges other than bonds brought without fees, less what was given back or is disputed.
    (SELECT sum(max(0, max(0, brought - refunded) - disputed)) AS paid_minor FROM (
      SELECT sum(CASE WHEN j.kind IN ('charge', 'capture', 'correction') THEN j.amount_minor ELSE 0 END - j.fee_minor) AS brought,
        -sum(CASE WHEN j.kind IN ('refund', 'reversal') THEN j.amount_minor ELSE 0 END) AS refunded,
        -sum(CASE WHEN j.kind IN ('chargeback', 'chargeback_reversal') THEN j.amount_minor ELSE 0 END) AS disputed
      FROM transactions t CROSS JOIN journal j ON j.transaction_id = t.id
      WHERE t.property_id = NEW.property_id AND t.booking_reference = NEW.booking_reference AND t.purpose <> 'Bond'
      GROUP BY t.id)) AS p,
    (SELECT sum(CASE WHEN kind IN ('charge', 'capture', 'correction') THEN amount_minor ELSE 0 END - fee_minor) AS brought,
      -sum(CASE WHEN kind IN ('refund', 'reversal') THEN amount_minor ELSE 0 END) AS refunded,
      -sum(CASE WHEN kind IN ('chargeback', 'chargeback_reversal') THEN amount_minor ELSE 0 END) AS disputed
    FROM journal WHERE transaction_id = NEW.transaction_id) AS c
  WHERE b.total_cost_minor > 0 AND p.paid_minor > b.total_cost_minor
    AND (SELECT purpose FROM transactions WHERE id = NEW.transaction_id) <> 'Bond'
    -- What the charge counts for now, compared with what it counted for before.
    AND max(0, max(0, c.brought - c.refunded) - c.disputed)
      > CASE NEW.kind
        WHEN 'reversal' THEN max(0, max(0, c.brought - c.refunded - NEW.amount_minor) - c.disputed)
        WHEN 'chargeback_reversal' THEN max(0, max(0, c.brought - c.refunded) - c.disputed - NEW.amount_minor)
        ELSE max(0, max(0, c.brought - NEW.amount_minor + NEW.fee_minor - c.refunded) - c.disputed)
      END;
END;
--> statement-breakpoint
CREATE TRIGGER events_of_lower_totals AFTER INSERT ON total_costs
WHEN NEW.number > 1 AND NEW.total_cost_minor > 0
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'balance.overpaid', NEW.at_ms, 'booking',
    json_object('balance', json_object('bookingReference', NEW.booking_reference, 'currency', b.currency,
      'totalCostMinor', NEW.total_cost_minor, 'paidMinor', p.paid_minor, 'overpaidMinor', p.paid_minor - NEW.total_cost_minor))
  FROM (SELECT currency FROM bookings WHERE property_id = NEW.property_id AND reference = NEW.booking_reference) AS b,
    (SELECT total_cost_minor AS minor FROM total_costs
      WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference AND number = NEW.number - 1) AS former,
    (SELECT sum(max(0, max(0, brought - refunded) - disputed)) AS paid_minor FROM (
      SELECT sum(CASE WHEN j.kind IN ('charge', 'capture', 'correction') THEN j.amount_minor ELSE 0 END - j.fee_minor) AS brought,
        -sum(CASE WHEN j.kind IN ('refund', 'reversal') THEN j.amount_minor ELSE 0 END) AS refunded,
        -sum(CASE WHEN j.kind IN ('chargeback', 'chargeback_reversal') THEN j.amount_minor ELSE 0 END) AS disputed
      FROM transactions t CROSS JOIN journal j ON j.transaction_id = t.id
      WHERE t.property_id = NEW.property_id AND t.booking_reference = NEW.booking_reference AND t.purpose <> 'Bond'
      GROUP BY t.id)) AS p
  WHERE p.paid_minor > NEW.total_cost_minor AND (former.minor = 0 OR NEW.total_cost_minor < former.minor);
END;
--> statement-breakpoint
-- mails and suppressed_addresses, above, are WITHOUT ROWID.
-- Mails are queued in the batch of the event that they tell of, if the property wants them. What the property did not
-- say is null: receipts and refunds are then for what guests paid on their page.
--
-- A correction that takes the money after all brings the receipt too; a charge has one receipt.
CREATE TRIGGER mails_of_payments AFTER INSERT ON events
WHEN NEW.type IN ('payment.accepted', 'payment.corrected', 'authorization.captured')
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-receipt', NEW.property_id, NEW.booking_reference, 'receipt', NEW.type, NEW.subject, 'Pending',
    NEW.at_ms, NEW.at_ms
  FROM properties p, transactions t
  WHERE p.id = NEW.property_id AND t.id = CAST(substr(NEW.subject, 8) AS INTEGER) AND t.status = 'Accepted'
    AND coalesce(json_extract(p.guest_mails, '$.receipts'), t.initiator = 'guest')
    AND NOT EXISTS (
      SELECT 1 FROM mails m
      WHERE m.property_id = NEW.property_id AND m.booking_reference = NEW.booking_reference AND m.kind = 'receipt'
        AND m.subject = NEW.subject);
END;
--> statement-breakpoint
CREATE TRIGGER mails_of_refunds AFTER INSERT ON events
WHEN NEW.type = 'refund.refunded'
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-refund', NEW.property_id, NEW.booking_reference, 'refund', NEW.type, NEW.subject, 'Pending',
    NEW.at_ms, NEW.at_ms
  FROM properties p, refunds r JOIN transactions t ON t.id = r.transaction_id
  WHERE p.id = NEW.property_id AND r.id = CAST(substr(NEW.subject, 8) AS INTEGER)
    AND coalesce(json_extract(p.guest_mails, '$.refunds'), t.initiator = 'guest')
    AND NOT EXISTS (
      SELECT 1 FROM mails m
      WHERE m.property_id = NEW.property_id AND m.booking_reference = NEW.booking_reference AND m.kind = 'refund'
        AND m.subject = NEW.subject);
END;
--> statement-breakpoint
-- A guest who was declined on the page was told there. A hold that was declined is not a payment.
CREATE TRIGGER mails_of_failed_payments AFTER INSERT ON events
WHEN NEW.type IN ('payment.declined', 'payment.failed')
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-failedPayment', NEW.property_id, NEW.booking_reference, 'failedPayment', NEW.type, NEW.subject,
    'Pending', NEW.at_ms, NEW.at_ms
  FROM properties p, transactions t
  WHERE p.id = NEW.property_id AND t.id = CAST(substr(NEW.subject, 8) AS INTEGER)
    AND json_extract(p.guest_mails, '$.failedPayments')
    AND (t.kind = 'schedule' OR (t.kind = 'charge' AND NEW.type = 'payment.declined'))
    -- Where a property recovers what is declined, its guest is asked for another card instead.
    AND NOT (p.card_recovery IS NOT NULL AND t.kind = 'schedule' AND NEW.type = 'payment.declined')
    AND t.initiator <> 'guest';
END;
--> statement-breakpoint
-- What the property hears of in the morning. The sender plans it.
CREATE TRIGGER mails_of_daily_words AFTER INSERT ON events
WHEN NEW.booking_reference IS NOT NULL AND NEW.type IN
  ('payment.declined', 'payment.failed', 'refund.failed', 'dispute.opened', 'dispute.won', 'dispute.lost')
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-dailyWord', NEW.property_id, NEW.booking_reference, 'dailyWord', NEW.type, NEW.subject,
    'Pending', NEW.at_ms, NEW.at_ms
  FROM properties p
  WHERE p.id = NEW.property_id AND json_extract(p.contact, '$.email') IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER mails_are_final BEFORE UPDATE ON mails
WHEN OLD.status <> 'Pending'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
--> statement-breakpoint
CREATE TRIGGER mails_are_of_their_events BEFORE UPDATE OF id, property_id, booking_reference, kind, event_type, subject, created_at_ms ON mails
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
--> statement-breakpoint
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
