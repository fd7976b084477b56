CREATE TABLE `open_amounts` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`transaction_id` integer NOT NULL,
	`number` integer NOT NULL,
	`scheduled_minor` integer NOT NULL,
	`uncertain_minor` integer NOT NULL,
	`held_minor` integer NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`property_id`, `booking_reference`, `transaction_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `total_costs` (
	`property_id` text NOT NULL,
	`booking_reference` text NOT NULL,
	`number` integer NOT NULL,
	`total_cost_minor` integer NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`property_id`, `booking_reference`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
-- What a transaction has open: what is Pending is scheduled, Processing uncertain, Authorized held. Bonds are left out.
CREATE TRIGGER open_amounts_of_new AFTER INSERT ON transactions
WHEN NEW.purpose <> 'Bond' AND NEW.status IN ('Pending', 'Processing', 'Authorized')
BEGIN
  INSERT INTO open_amounts (property_id, booking_reference, transaction_id, number, scheduled_minor, uncertain_minor, held_minor, at_ms)
  VALUES (NEW.property_id, NEW.booking_reference, NEW.id, 1,
    CASE NEW.status WHEN 'Pending' THEN NEW.requested_minor ELSE 0 END,
    CASE NEW.status WHEN 'Processing' THEN coalesce(NEW.capture_requested_minor, NEW.requested_minor) ELSE 0 END,
    CASE NEW.status WHEN 'Authorized' THEN NEW.requested_minor ELSE 0 END, NEW.created_at_ms);
END;
--> statement-breakpoint
-- An outcome counts from the instant at which it was learnt, as in the journal.
CREATE TRIGGER open_amounts_of_changed AFTER UPDATE OF status, requested_minor, capture_requested_minor ON transactions
WHEN NEW.purpose <> 'Bond' AND (OLD.status IN ('Pending', 'Processing', 'Authorized') OR NEW.status IN ('Pending', 'Processing', 'Authorized'))
  AND (NEW.status <> OLD.status OR NEW.requested_minor <> OLD.requested_minor OR NEW.capture_requested_minor IS NOT OLD.capture_requested_minor)
BEGIN
  INSERT INTO open_amounts (property_id, booking_reference, transaction_id, number, scheduled_minor, uncertain_minor, held_minor, at_ms)
  VALUES (NEW.property_id, NEW.booking_reference, NEW.id,
    (SELECT count(*) + 1 FROM open_amounts WHERE property_id = NEW.property_id AND booking_reference = NEW.booking_reference AND transaction_id = NEW.id),
    (CASE NEW.status WHEN 'Pending' THEN NEW.requested_minor ELSE 0 END) - (CASE OLD.status WHEN 'Pending' THEN OLD.requested_minor ELSE 0 END),
    (CASE NEW.status WHEN 'Processing' THEN coalesce(NEW.capture_requested_minor, NEW.requested_minor) ELSE 0 END)
      - (CASE OLD.status WHEN 'Processing' THEN coalesce(OLD.capture_requested_minor, OLD.requested_minor) ELSE 0 END),
    (CASE NEW.status WHEN 'Authorized' THEN NEW.requested_minor ELSE 0 END) - (CASE OLD.status WHEN 'Authorized' THEN OLD.requested_minor ELSE 0 END),
    CASE WHEN NEW.learnt_at_ms IS NOT NULL AND NEW.learnt_at_ms IS NOT OLD.learnt_at_ms THEN NEW.learnt_at_ms
      ELSE coalesce(NEW.changed_at_ms, NEW.created_at_ms) END);
END;
--> statement-breakpoint
CREATE TRIGGER open_amounts_are_not_changed BEFORE UPDATE ON open_amounts
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER open_amounts_are_not_deleted BEFORE DELETE ON open_amounts
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER total_costs_of_new AFTER INSERT ON bookings
BEGIN
  INSERT INTO total_costs (property_id, booking_reference, number, total_cost_minor, at_ms)
  VALUES (NEW.property_id, NEW.reference, 1, NEW.total_cost_minor, NEW.created_at_ms);
END;
--> statement-breakpoint
CREATE TRIGGER total_costs_of_changed AFTER UPDATE OF total_cost_minor ON bookings
WHEN NEW.total_cost_minor <> OLD.total_cost_minor
BEGIN
  INSERT INTO total_costs (property_id, booking_reference, number, total_cost_minor, at_ms)
  VALUES (NEW.property_id, NEW.reference,
    (SELECT count(*) + 1 FROM total_costs WHERE property_id = NEW.property_id AND booking_reference = NEW.reference),
    NEW.total_cost_minor, NEW.updated_at_ms);
END;
--> statement-breakpoint
CREATE TRIGGER total_costs_are_not_changed BEFORE UPDATE ON total_costs
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
CREATE TRIGGER total_costs_are_not_deleted BEFORE DELETE ON total_costs
BEGIN
  SELECT RAISE(ABORT, 'append_only');
END;
--> statement-breakpoint
-- What was open before this migration, and the totals that bookings have now. Earlier ones are not known.
INSERT INTO open_amounts (property_id, booking_reference, transaction_id, number, scheduled_minor, uncertain_minor, held_minor, at_ms)
SELECT property_id, booking_reference, id, 1,
  CASE status WHEN 'Pending' THEN requested_minor ELSE 0 END,
  CASE status WHEN 'Processing' THEN coalesce(capture_requested_minor, requested_minor) ELSE 0 END,
  CASE status WHEN 'Authorized' THEN requested_minor ELSE 0 END, coalesce(changed_at_ms, created_at_ms)
FROM transactions WHERE purpose <> 'Bond' AND status IN ('Pending', 'Processing', 'Authorized');
--> statement-breakpoint
INSERT INTO total_costs (property_id, booking_reference, number, total_cost_minor, at_ms)
SELECT property_id, reference, 1, total_cost_minor, created_at_ms FROM bookings;
