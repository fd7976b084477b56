CREATE TRIGGER disputes_version BEFORE UPDATE ON disputes
WHEN NEW.version <> OLD.version + 1
BEGIN
  SELECT RAISE(ABORT, 'stale_state');
END;

CREATE TRIGGER disputes_identity_is_fixed BEFORE UPDATE OF property_id, id, booking_reference, transaction_id, currency ON disputes
BEGIN
  SELECT RAISE(ABORT, 'fixed_column');
END;

CREATE TRIGGER journal_of_new_disputes AFTER INSERT ON disputes
WHEN NEW.funds_withdrawn AND NOT EXISTS (SELECT 1 FROM journal WHERE transaction_id = NEW.transaction_id AND dispute_id = NEW.id)
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, dispute_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id, 'chargeback', NEW.currency, -NEW.amount_minor, 0, gateway, NEW.id, NEW.changed_at_ms, NEW.learnt_at_ms
  FROM transactions WHERE id = NEW.transaction_id;
END;

CREATE TRIGGER journal_of_disputes AFTER UPDATE OF funds_withdrawn ON disputes
WHEN NEW.funds_withdrawn <> OLD.funds_withdrawn
  AND NEW.funds_withdrawn <> (SELECT coalesce(sum(amount_minor), 0) < 0 FROM journal WHERE transaction_id = NEW.transaction_id AND dispute_id = NEW.id)
BEGIN
  INSERT INTO journal (number, property_id, booking_reference, transaction_id, dispute_id, kind, currency, amount_minor, fee_minor, gateway, gateway_reference, occurred_at_ms, recorded_at_ms)
  SELECT (SELECT count(*) + 1 FROM journal WHERE transaction_id = NEW.transaction_id), NEW.property_id, NEW.booking_reference, NEW.transaction_id, NEW.id,
    CASE WHEN NEW.funds_withdrawn THEN 'chargeback' ELSE 'chargeback_reversal' END, NEW.currency,
    CASE WHEN NEW.funds_withdrawn THEN -NEW.amount_minor ELSE OLD.amount_minor END, 0, gateway, NEW.id, NEW.changed_at_ms, NEW.learnt_at_ms
  FROM transactions WHERE id = NEW.transaction_id;
END;

-- An accepted exception stays accepted.
CREATE TRIGGER exceptions_accepted_are_final BEFORE UPDATE ON exceptions
WHEN OLD.resolution = 'accepted'
BEGIN
  SELECT RAISE(ABORT, 'illegal_transition');
END;
