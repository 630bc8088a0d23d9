-- What no road may undo: the audit log only grows, and an enabled owner always remains.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_kept BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
-- Two owners who leave at the same moment are looked at one after the other: each takes the same lock first, and the
-- second sees what the first has committed.
CREATE FUNCTION keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('an owner remains'));
  IF NOT EXISTS (SELECT 1 FROM users WHERE role = 'ROLE_OWNER' AND is_enabled) THEN
    RAISE EXCEPTION 'the shop needs an enabled owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'users_an_owner';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_owner_kept_update AFTER UPDATE OF role, is_enabled ON users
  FOR EACH ROW WHEN (OLD.role = 'ROLE_OWNER' AND OLD.is_enabled AND (NEW.role <> 'ROLE_OWNER' OR NOT NEW.is_enabled))
  EXECUTE FUNCTION keep_an_owner();
--> statement-breakpoint
CREATE TRIGGER users_owner_kept_delete AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.role = 'ROLE_OWNER' AND OLD.is_enabled) EXECUTE FUNCTION keep_an_owner();
