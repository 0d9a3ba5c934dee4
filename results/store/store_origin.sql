/* Counters that were not measured in one trace of a sweep or more. All others were, or nothing is known of them. */
CREATE TABLE IF NOT EXISTS main.counter_origin (
  sweep INTEGER NOT NULL REFERENCES sweep,
  counter TEXT NOT NULL,
  /* assumed, modelled or derived. */
  origin TEXT NOT NULL,
  PRIMARY KEY (sweep, counter, origin)
) WITHOUT ROWID;
