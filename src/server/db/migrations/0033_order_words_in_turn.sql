-- Waits for a change of the same rows before it reads what they are made of: without it, a parcel that was shipped while its
-- customer's email changed wrote the old email back. Each statement of the function sees what was committed before it.
CREATE OR REPLACE FUNCTION write_order_words(of_orders uuid[]) RETURNS void LANGUAGE sql AS $$
  SELECT FROM order_words WHERE order_id = ANY (of_orders) ORDER BY order_id FOR UPDATE;
  INSERT INTO order_words SELECT * FROM order_words_anew WHERE order_id = ANY (of_orders)
  ON CONFLICT (order_id) DO UPDATE
    SET created_at = excluded.created_at, words = excluded.words, ids = excluded.ids
    WHERE (order_words.created_at, order_words.words, order_words.ids)
      IS DISTINCT FROM (excluded.created_at, excluded.words, excluded.ids);
$$;
