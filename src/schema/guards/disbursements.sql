CREATE TRIGGER disbursement_items_currency BEFORE INSERT ON disbursement_items
WHEN NEW.currency IS NOT (SELECT currency FROM disbursements WHERE property_id = NEW.property_id AND id = NEW.disbursement_id)
BEGIN
  SELECT RAISE(ABORT, 'another_currency');
END;
