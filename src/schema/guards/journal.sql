-- Grouped by the booking, so that SQLite can look for one booking's rows before it sums them up.
CREATE VIEW charge_totals AS
SELECT t.property_id, t.booking_reference, t.id AS transaction_id,
  sum(CASE WHEN j.kind IN ('charge', 'capture', 'correction') THEN j.amount_minor ELSE 0 END) AS taken_minor,
  sum(j.fee_minor) AS fee_minor,
  -sum(CASE WHEN j.kind IN ('refund', 'reversal') THEN j.amount_minor ELSE 0 END) AS refunded_minor,
  -sum(CASE WHEN j.kind IN ('chargeback', 'chargeback_reversal') THEN j.amount_minor ELSE 0 END) AS disputed_minor
FROM transactions t JOIN journal j ON j.transaction_id = t.id
GROUP BY t.property_id, t.booking_reference, t.id;

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

CREATE TRIGGER journal_is_not_deleted BEFORE DELETE ON journal
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER journal_of_new_refunds AFTER INSERT ON refunds
WHEN NEW.status = 'Refunded'
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, refund_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id, 'refund', NEW.currency, -NEW.amount_minor, 0, gateway, NEW.gateway_reference,
    coalesce(NEW.completed_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.completed_at_ms, NEW.created_at_ms)
  FROM transactions WHERE id = NEW.transaction_id;
END;

CREATE TRIGGER journal_of_refunds AFTER UPDATE OF status ON refunds
WHEN NEW.status <> OLD.status AND (NEW.status = 'Refunded' OR OLD.status = 'Refunded')
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, refund_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id,
    CASE NEW.status WHEN 'Refunded' THEN 'refund' ELSE 'reversal' END, NEW.currency,
    CASE NEW.status WHEN 'Refunded' THEN -NEW.amount_minor ELSE NEW.amount_minor END, 0, gateway, NEW.gateway_reference,
    coalesce(NEW.completed_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.completed_at_ms, NEW.created_at_ms)
  FROM transactions WHERE id = NEW.transaction_id;
END;

-- The journal: every change of a charge, refund or dispute that moves money writes its row.
CREATE TRIGGER journal_of_charges AFTER UPDATE OF status ON transactions
WHEN NEW.status = 'Accepted' AND OLD.status <> 'Accepted'
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  VALUES (1, NEW.property_id, NEW.booking_reference, NEW.id, CASE NEW.kind WHEN 'authorization' THEN 'capture' ELSE 'charge' END,
    NEW.currency, NEW.amount_minor, NEW.transaction_fee_minor + NEW.card_fee_minor, NEW.gateway, NEW.gateway_reference,
    coalesce(NEW.completed_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.completed_at_ms, NEW.created_at_ms));
END;

CREATE TRIGGER journal_of_new_charges AFTER INSERT ON transactions
WHEN NEW.status = 'Accepted'
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  VALUES (1, NEW.property_id, NEW.booking_reference, NEW.id, CASE NEW.kind WHEN 'authorization' THEN 'capture' ELSE 'charge' END,
    NEW.currency, NEW.amount_minor, NEW.transaction_fee_minor + NEW.card_fee_minor, NEW.gateway, NEW.gateway_reference,
    coalesce(NEW.completed_at_ms, NEW.created_at_ms), coalesce(NEW.learnt_at_ms, NEW.completed_at_ms, NEW.created_at_ms));
END;

CREATE TRIGGER journal_of_corrected_amounts AFTER UPDATE OF amount_minor, transaction_fee_minor, card_fee_minor ON transactions
WHEN OLD.status = 'Accepted' AND (NEW.amount_minor <> OLD.amount_minor OR NEW.requested_minor <> OLD.requested_minor)
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  VALUES ((SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.id), NEW.property_id, NEW.booking_reference, NEW.id, 'correction', NEW.currency, NEW.amount_minor - OLD.amount_minor,
    NEW.transaction_fee_minor + NEW.card_fee_minor - OLD.transaction_fee_minor - OLD.card_fee_minor, NEW.gateway, NEW.gateway_reference,
    coalesce(NEW.completed_at_ms, NEW.created_at_ms), coalesce(NEW.corrected_at_ms, NEW.completed_at_ms, NEW.created_at_ms));
END;
