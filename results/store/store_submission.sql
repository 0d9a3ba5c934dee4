CREATE TABLE IF NOT EXISTS submission (
  /* Hexadecimal. */
  id TEXT NOT NULL UNIQUE,
  sweep INTEGER NOT NULL REFERENCES sweep,
  /* From 0: points whose position modulo nr_shards is it. */
  shard INTEGER NOT NULL,
  nr_shards INTEGER NOT NULL,
  /* 1: rows per thread are wanted. */
  threads INTEGER NOT NULL,
  PRIMARY KEY (sweep, nr_shards, shard, threads)
) WITHOUT ROWID;
