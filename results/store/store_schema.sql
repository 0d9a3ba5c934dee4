/* The tables of a store. Lines that are only a comment do not become a part of it. */
/* Programs whose runs are here. */
CREATE TABLE program (
  id INTEGER PRIMARY KEY,
  version TEXT NOT NULL UNIQUE
);
/* Sweeps, and the axes of their spaces: value of a position on an axis = position / stride % nr_values. */
CREATE TABLE sweep (
  id INTEGER PRIMARY KEY,
  /* Hash of axes and of the hashes of all its points. */
  identity BLOB NOT NULL UNIQUE,
  /* The highest is that of the sweep that was planned last. */
  planned INTEGER NOT NULL,
  name TEXT NOT NULL,
  evaluator TEXT NOT NULL,
  /* With which `sahm sweep` does the same again. */
  config TEXT NOT NULL,
  nr_points INTEGER NOT NULL
);
CREATE TABLE axis (
  sweep INTEGER NOT NULL REFERENCES sweep,
  /* 0 varies slowest. */
  axis INTEGER NOT NULL,
  name TEXT NOT NULL,
  nr_values INTEGER NOT NULL,
  stride INTEGER NOT NULL,
  PRIMARY KEY (sweep, axis)
) WITHOUT ROWID;
CREATE TABLE axis_value (
  sweep INTEGER NOT NULL REFERENCES sweep,
  axis INTEGER NOT NULL,
  /* From 0. */
  value INTEGER NOT NULL,
  /* A number where it is one, and no name. */
  label NOT NULL,
  /* Lines key=value, as `sahm run --set` takes them. */
  settings TEXT NOT NULL,
  PRIMARY KEY (sweep, axis, value)
) WITHOUT ROWID;
CREATE TABLE point (
  sweep INTEGER NOT NULL REFERENCES sweep,
  position INTEGER NOT NULL,
  run INTEGER NOT NULL REFERENCES run,
  PRIMARY KEY (sweep, position)
) WITHOUT ROWID;
CREATE INDEX point_run ON point (run);
/* Runs: of one resolved configuration, trace contents, evaluator and program each. */
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  program INTEGER NOT NULL REFERENCES program,
  /* 0 planned, 1 done, 2 failed. */
  state INTEGER NOT NULL,
  /* Why it failed, or remarks. */
  message TEXT,
  chip INTEGER REFERENCES chip,
  nr_cores INTEGER,
  nr_threads INTEGER,
  synthetic INTEGER,
  /* store_write_schema() puts a column for each metric of a run in the place of RUN_METRICS. */
  nominal_time INTEGER -- RUN_METRICS
);
CREATE TABLE chip (
  id INTEGER PRIMARY KEY,
  /* "7 baseline + 8 branch 30 %". */
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE chip_core (
  chip INTEGER NOT NULL REFERENCES chip,
  row INTEGER NOT NULL,
  type TEXT NOT NULL,
  /* Joined by commas, in the order of type. */
  speedups_pct TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (chip, row)
) WITHOUT ROWID;
CREATE TABLE thread_name (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE thread (
  run INTEGER NOT NULL REFERENCES run,
  /* Index, from 0. */
  thread INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES thread_name,
  speedup REAL,
  served_share REAL,
  matched_share REAL,
  completed_ns INTEGER NOT NULL,
  present_ns INTEGER NOT NULL,
  migrations INTEGER NOT NULL,
  energy_j REAL,
  instruction_nj REAL,
  PRIMARY KEY (run, thread)
) WITHOUT ROWID;
/* 95 % bootstrap intervals, where a run has several samples. */
CREATE TABLE interval (
  run INTEGER NOT NULL REFERENCES run,
  metric TEXT NOT NULL,
  low REAL,
  high REAL,
  PRIMARY KEY (run, metric)
) WITHOUT ROWID;
/* What took how long: no part of the results. */
CREATE TABLE timing (
  run INTEGER PRIMARY KEY REFERENCES run,
  started_unix_ms INTEGER NOT NULL,
  wall_ns INTEGER NOT NULL,
  cpu_ns INTEGER NOT NULL,
  worker INTEGER NOT NULL
);
