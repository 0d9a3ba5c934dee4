/* `record` is what record_encode() makes of it, without its timing; two columns say what is in it. */
/* A first result that failed has failures beside it at most: they belong to it, and go with it. */
CREATE TABLE IF NOT EXISTS main.second_result (
  run INTEGER NOT NULL REFERENCES run,
  /* From 1, in the order in which they came. */
  number INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  /* As of runs: 1 done, 2 failed. */
  state INTEGER NOT NULL,
  message TEXT,
  record BLOB NOT NULL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
