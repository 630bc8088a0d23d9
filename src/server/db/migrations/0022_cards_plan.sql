-- A trigger writes the cards of few products at a time, so one plan fits all. PostgreSQL would plan the statement anew each
-- time, which takes twice as long as running it.
ALTER FUNCTION keep_cards() SET plan_cache_mode = force_generic_plan;
