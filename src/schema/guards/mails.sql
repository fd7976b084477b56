-- Mails are queued in the batch of the event that they tell of, if the property wants them. What the property did not
-- say is null: receipts and refunds are then for what guests paid on their page.
-- A correction that takes the money after all brings the receipt too; a charge has one receipt.
CREATE TRIGGER mails_of_payments AFTER INSERT ON history
WHEN NEW.type IN ('payment.accepted', 'payment.corrected', 'authorization.captured')
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-receipt', NEW.property_id, NEW.booking_reference, 'receipt', NEW.type, NEW.subject_kind || ' ' || NEW.subject_id, 'Pending',
    NEW.at_ms, NEW.at_ms
  FROM properties p, transactions t
  WHERE p.id = NEW.property_id AND t.id = CAST(NEW.subject_id AS INTEGER) AND t.status = 'Accepted'
    AND coalesce(json_extract(p.guest_mails, '$.receipts'), t.initiator = 'guest')
    AND NOT EXISTS (
      SELECT 1 FROM mails m
      WHERE m.property_id = NEW.property_id AND m.booking_reference = NEW.booking_reference AND m.kind = 'receipt'
        AND m.subject = NEW.subject_kind || ' ' || NEW.subject_id);
END;

CREATE TRIGGER mails_of_refunds AFTER INSERT ON history
WHEN NEW.type = 'refund.refunded'
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-refund', NEW.property_id, NEW.booking_reference, 'refund', NEW.type, NEW.subject_kind || ' ' || NEW.subject_id, 'Pending',
    NEW.at_ms, NEW.at_ms
  FROM properties p, refunds r JOIN transactions t ON t.id = r.transaction_id
  WHERE p.id = NEW.property_id AND r.id = CAST(NEW.subject_id AS INTEGER)
    AND coalesce(json_extract(p.guest_mails, '$.refunds'), t.initiator = 'guest')
    AND NOT EXISTS (
      SELECT 1 FROM mails m
      WHERE m.property_id = NEW.property_id AND m.booking_reference = NEW.booking_reference AND m.kind = 'refund'
        AND m.subject = NEW.subject_kind || ' ' || NEW.subject_id);
END;

-- A guest who was declined on the page was told there. A hold that was declined is not a payment.
CREATE TRIGGER mails_of_failed_payments AFTER INSERT ON history
WHEN NEW.type IN ('payment.declined', 'payment.failed')
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-failedPayment', NEW.property_id, NEW.booking_reference, 'failedPayment', NEW.type, NEW.subject_kind || ' ' || NEW.subject_id,
    'Pending', NEW.at_ms, NEW.at_ms
  FROM properties p, transactions t
  WHERE p.id = NEW.property_id AND t.id = CAST(NEW.subject_id AS INTEGER)
    AND json_extract(p.guest_mails, '$.failedPayments')
    AND (t.kind = 'schedule' OR (t.kind = 'charge' AND NEW.type = 'payment.declined'))
    -- Where a property recovers what is declined, its guest is asked for another card instead.
    AND NOT (p.card_recovery IS NOT NULL AND t.kind = 'schedule' AND NEW.type = 'payment.declined')
    AND t.initiator <> 'guest';
END;

-- What the property hears of in the morning. The sender plans it.
CREATE TRIGGER mails_of_daily_digests AFTER INSERT ON history
WHEN NEW.booking_reference <> '' AND NEW.type IN
  ('payment.declined', 'payment.failed', 'refund.failed', 'dispute.opened', 'dispute.won', 'dispute.lost')
BEGIN
  INSERT INTO mails (id, property_id, booking_reference, kind, event_type, subject, status, due_at_ms, created_at_ms)
  SELECT NEW.event_id || '-dailyWord', NEW.property_id, NEW.booking_reference, 'dailyWord', NEW.type, NEW.subject_kind || ' ' || NEW.subject_id,
    'Pending', NEW.at_ms, NEW.at_ms
  FROM properties p
  WHERE p.id = NEW.property_id AND json_extract(p.contact, '$.email') IS NOT NULL;
END;

CREATE TRIGGER mails_are_final BEFORE UPDATE ON mails
WHEN OLD.status <> 'Pending'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;

CREATE TRIGGER mails_keep_their_subject BEFORE UPDATE OF id, property_id, booking_reference, kind, event_type, subject, created_at_ms ON mails
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;
