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

-- Of a booking neither names nor addresses are taken, of a card neither its holder nor its expiry.
CREATE VIEW booking_snapshots AS
SELECT b.property_id, b.reference, json_object(
  'row', json_object('reference', b.reference, 'arrival', b.arrival, 'departure', b.departure, 'status', b.status,
    'totalCostMinor', b.total_cost_minor, 'currency', b.currency, 'createdAtMs', b.created_at_ms,
    'updatedAtMs', b.updated_at_ms),
  'card', json((SELECT snapshot FROM card_snapshots c WHERE c.token = b.card_token)),
  'site', p.site, 'propertyName', p.name) AS snapshot
FROM bookings b JOIN properties p ON p.id = b.property_id;

CREATE VIEW card_snapshots AS
SELECT token, json_object('token', token, 'brand', brand, 'masked', masked, 'funding', funding,
  'issuerCountry', issuer_country) AS snapshot
FROM cards;

CREATE VIEW disbursement_snapshots AS
SELECT d.property_id, d.id, json_object(
  'row', json_object('id', d.id, 'gateway', d.gateway, 'status', d.status, 'currency', d.currency,
    'grossMinor', d.gross_minor, 'feeMinor', d.fee_minor, 'netMinor', d.net_minor, 'description', d.description,
    'effectiveAtMs', d.effective_at_ms, 'arrivalDate', d.arrival_date)) AS snapshot,
  -- What the property's clock shows.
  CASE WHEN p.clock_stands_at_ms IS NULL THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) + p.clock_ahead_ms
    ELSE max(p.clock_stands_at_ms, CAST(unixepoch('subsec') * 1000 AS INTEGER)) END AS now_ms
FROM disbursements d JOIN properties p ON p.id = d.property_id;

CREATE VIEW dispute_snapshots AS
SELECT d.property_id, d.id, json_object(
  'row', json_object('id', d.id, 'bookingReference', d.booking_reference, 'transactionId', d.transaction_id,
    'amountMinor', d.amount_minor, 'feeMinor', d.fee_minor, 'currency', d.currency, 'reason', d.reason,
    'status', d.status, 'respondByMs', d.respond_by_ms, 'openedAtMs', d.opened_at_ms, 'closedAtMs', d.closed_at_ms,
    'stage', CASE WHEN EXISTS (SELECT 1 FROM journal WHERE transaction_id = d.transaction_id AND dispute_id = d.id)
      THEN 'chargeback' ELSE 'inquiry' END)) AS snapshot
FROM disputes d;

-- (Where an index is named, SQLite would rather read the table by the beginning of its key.)
-- Whoever tells of an event inserts it here: the numbers are given in the order in which D1 commits. The snapshot gets the
-- time zone, which the times of the event are shown in for ever.
CREATE VIEW new_events AS
SELECT property_id, booking_reference, type, at_ms, subject, snapshot FROM events;

CREATE VIEW refund_snapshots AS
SELECT r.id, r.property_id, r.booking_reference, json_object(
  'row', json_object('id', r.id, 'reference', r.reference, 'status', r.status, 'bookingReference', r.booking_reference,
    'amountMinor', r.amount_minor, 'currency', r.currency, 'createdAtMs', r.created_at_ms, 'origin', r.origin),
  'card', json((SELECT json_object('token', c.token, 'brand', c.brand, 'last4', c.last4, 'funding', c.funding,
      'issuerCountry', c.issuer_country)
    FROM transactions t JOIN cards c ON c.token = t.card_token WHERE t.id = r.transaction_id))) AS snapshot
FROM refunds r;

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

-- An application begins as Tentative; one that is linked to a booking with a deposit moves on at once.
CREATE TRIGGER events_of_new_applications AFTER INSERT ON applications
WHEN NEW.booking_type = 'Online' AND NEW.current_status <> 'Tentative'
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'application.moved', NEW.updated_at_ms, 'application ' || NEW.application_number,
    json_object('application', json(snapshot))
  FROM application_snapshots WHERE id = NEW.id;
END;

CREATE TRIGGER events_of_changed_applications AFTER UPDATE OF current_status ON applications
WHEN NEW.current_status <> OLD.current_status
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'application.moved', NEW.updated_at_ms,
    'application ' || coalesce(NEW.application_number, NEW.booking_id), json_object('application', json(snapshot))
  FROM application_snapshots WHERE id = NEW.id;
END;

CREATE TRIGGER events_of_new_bookings AFTER INSERT ON bookings
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.reference, CASE NEW.status WHEN 'cancelled' THEN 'booking.cancelled' ELSE 'booking.saved' END,
    NEW.updated_at_ms, 'booking', json_object('booking', json(snapshot))
  FROM booking_snapshots WHERE property_id = NEW.property_id AND reference = NEW.reference;
END;

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

CREATE TRIGGER events_of_new_cards AFTER INSERT ON cards
WHEN NEW.booking_reference IS NOT NULL AND NOT NEW.entered_to_pay
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'card.attached', NEW.created_at_ms, 'card ' || NEW.token,
    json_object('card', json(snapshot))
  FROM card_snapshots WHERE token = NEW.token;
END;

-- A disbursement is paid out when all its items are there: what mirrors an acquirer writes the final status after them.
CREATE TRIGGER events_of_changed_disbursements AFTER UPDATE OF status ON disbursements
WHEN NEW.status <> OLD.status AND NEW.status IN ('paid_out', 'failed')
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NULL, 'disbursement.' || NEW.status, now_ms, 'disbursement ' || NEW.id,
    json_object('disbursement', json(snapshot))
  FROM disbursement_snapshots WHERE property_id = NEW.property_id AND id = NEW.id;
END;

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

CREATE TRIGGER events_of_changed_disputes AFTER UPDATE OF status ON disputes
WHEN NEW.status <> OLD.status AND NEW.status IN ('won', 'lost')
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, 'dispute.' || NEW.status, NEW.learnt_at_ms, 'dispute ' || NEW.id,
    json_object('dispute', json(snapshot))
  FROM dispute_snapshots WHERE property_id = NEW.property_id AND id = NEW.id;
END;

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

-- An event is delivered to each active endpoint that wants its type: the type itself, or the type's beginning and a star. It
-- is due at once, unless an earlier one of its booking is not settled there.
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
    AND EXISTS (
      SELECT 1 FROM json_each(e.types) AS wanted
      WHERE wanted.value IN (NEW.type, substr(NEW.type, 1, length(wanted.value) - 1) || '*'));
END;

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

CREATE TRIGGER events_of_new_refunds AFTER INSERT ON refunds
WHEN NEW.status <> 'Processing'
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, CASE NEW.status WHEN 'Refunded' THEN 'refund.refunded' ELSE 'refund.failed' END,
    coalesce(NEW.learnt_at_ms, NEW.created_at_ms), 'refund ' || NEW.id,
    json_object('refund', json(snapshot), 'chargeId', NEW.transaction_id)
  FROM refund_snapshots WHERE id = NEW.id;
END;

CREATE TRIGGER events_of_changed_refunds AFTER UPDATE OF status ON refunds
WHEN NEW.status <> OLD.status
BEGIN
  INSERT INTO new_events (property_id, booking_reference, type, at_ms, subject, snapshot)
  SELECT NEW.property_id, NEW.booking_reference, CASE NEW.status WHEN 'Refunded' THEN 'refund.refunded' ELSE 'refund.failed' END,
    coalesce(NEW.learnt_at_ms, NEW.created_at_ms), 'refund ' || NEW.id,
    json_object('refund', json(snapshot), 'chargeId', NEW.transaction_id)
  FROM refund_snapshots WHERE id = NEW.id;
END;

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

-- A change of state is one event. A correction is payment.corrected alone, whatever the state; a hold that stays after
-- all is an event only if its outcome was told to be unknown.
CREATE TRIGGER events_of_changed_transactions AFTER UPDATE OF status, corrected_at_ms, status_checks ON transactions
WHEN NEW.corrected_at_ms IS NOT OLD.corrected_at_ms
  OR (NEW.status = OLD.status AND NEW.status = 'Processing' AND OLD.status_checks = 0 AND NEW.status_checks > 0)
  OR (NEW.status <> OLD.status AND NEW.status <> 'Processing'
    AND (NEW.status <> 'Authorized' OR OLD.pending_operation = 'authorize' OR OLD.status_checks > 0))
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

CREATE TRIGGER webhook_deliveries_are_of_their_events BEFORE UPDATE OF endpoint_id, event_number, property_id, booking_reference ON webhook_deliveries
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;

CREATE TRIGGER webhook_endpoints_version BEFORE UPDATE ON webhook_endpoints
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

-- Whoever has the property's row knows whom to notify of its events. The version makes those read again who remember it.
CREATE TRIGGER endpoints_of_property_new AFTER INSERT ON webhook_endpoints
WHEN NEW.active
BEGIN
  UPDATE properties SET version = version + 1, webhook_endpoints = (
    SELECT json_group_array(id ORDER BY id) FROM webhook_endpoints WHERE property_id = NEW.property_id AND active)
  WHERE id = NEW.property_id;
END;

CREATE TRIGGER endpoints_of_property_changed AFTER UPDATE OF active ON webhook_endpoints
WHEN NEW.active <> OLD.active
BEGIN
  UPDATE properties SET version = version + 1, webhook_endpoints = (
    SELECT json_group_array(id ORDER BY id) FROM webhook_endpoints WHERE property_id = NEW.property_id AND active)
  WHERE id = NEW.property_id;
END;
