CREATE TRIGGER disbursement_items_currency BEFORE INSERT ON disbursement_items
WHEN NEW.currency IS NOT (SELECT currency FROM disbursements WHERE property_id = NEW.property_id AND id = NEW.disbursement_id)
BEGIN
  SELECT RAISE(ABORT, 'another_currency');
END;

-- What was disbursed stays as it was told.
CREATE TRIGGER disbursement_items_are_not_changed BEFORE UPDATE ON disbursement_items
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;

CREATE TRIGGER disbursement_items_are_not_deleted BEFORE DELETE ON disbursement_items
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
