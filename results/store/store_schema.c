#include "results/store/store_schema.h"

const char store_schema[] =
	/* Programs whose runs are here. */
	"CREATE TABLE program (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  version TEXT NOT NULL UNIQUE\n"
	");\n"
	/* Sweeps, and the axes of their spaces: value of a position on an axis = position / stride % nr_values. */
	"CREATE TABLE sweep (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  identity BLOB NOT NULL UNIQUE,\n" /* hash of axes and of the hashes of all its points */
	"  planned INTEGER NOT NULL,\n"	     /* the greatest is that of the sweep that was planned last */
	"  name TEXT NOT NULL,\n"
	"  evaluator TEXT NOT NULL,\n"
	"  config TEXT NOT NULL,\n" /* with which `sahm sweep` does the same again */
	"  nr_points INTEGER NOT NULL\n"
	");\n"
	"CREATE TABLE axis (\n"
	"  sweep INTEGER NOT NULL REFERENCES sweep,\n"
	"  axis INTEGER NOT NULL,\n" /* 0 varies slowest */
	"  name TEXT NOT NULL,\n"
	"  nr_values INTEGER NOT NULL,\n"
	"  stride INTEGER NOT NULL,\n"
	"  PRIMARY KEY (sweep, axis)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE axis_value (\n"
	"  sweep INTEGER NOT NULL REFERENCES sweep,\n"
	"  axis INTEGER NOT NULL,\n"
	"  value INTEGER NOT NULL,\n" /* from 0 */
	"  label NOT NULL,\n"	      /* a number where it is one, and no name */
	"  settings TEXT NOT NULL,\n" /* lines key=value, as `sahm run --set` takes them */
	"  PRIMARY KEY (sweep, axis, value)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE point (\n"
	"  sweep INTEGER NOT NULL REFERENCES sweep,\n"
	"  position INTEGER NOT NULL,\n"
	"  run INTEGER NOT NULL REFERENCES run,\n"
	"  PRIMARY KEY (sweep, position)\n"
	") WITHOUT ROWID;\n"
	"CREATE INDEX point_run ON point (run);\n"
	/* Runs: of one resolved configuration, trace contents, evaluator and program each. */
	"CREATE TABLE run (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  hash BLOB NOT NULL UNIQUE,\n"
	"  program INTEGER NOT NULL REFERENCES program,\n"
	"  state INTEGER NOT NULL,\n" /* 0 planned, 1 done, 2 failed */
	"  message TEXT,\n"	      /* why it failed, or remarks */
	"  chip INTEGER REFERENCES chip,\n"
	"  nr_cores INTEGER,\n"
	"  nr_threads INTEGER,\n"
	"  synthetic INTEGER,\n"
	"  nominal_time INTEGER"
#define RUN_METRIC(member, form, words) ",\n  " #member " REAL"
#include "results/metrics/run_metric_list.h"
#undef RUN_METRIC
	"\n);\n"
	"CREATE TABLE chip (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  name TEXT NOT NULL UNIQUE\n" /* "7 baseline + 8 branch 30 %" */
	");\n"
	"CREATE TABLE chip_core (\n"
	"  chip INTEGER NOT NULL REFERENCES chip,\n"
	"  row INTEGER NOT NULL,\n"
	"  type TEXT NOT NULL,\n"
	"  speedups_pct TEXT NOT NULL,\n" /* joined by commas, in the order of type */
	"  count INTEGER NOT NULL,\n"
	"  PRIMARY KEY (chip, row)\n"
	") WITHOUT ROWID;\n"
	"CREATE TABLE thread_name (\n"
	"  id INTEGER PRIMARY KEY,\n"
	"  name TEXT NOT NULL UNIQUE\n"
	");\n"
	"CREATE TABLE thread (\n"
	"  run INTEGER NOT NULL REFERENCES run,\n"
	"  thread INTEGER NOT NULL,\n" /* index, from 0 */
	"  name INTEGER NOT NULL REFERENCES thread_name,\n"
	"  speedup REAL,\n"
	"  served_share REAL,\n"
	"  matched_share REAL,\n"
	"  completed_ns INTEGER NOT NULL,\n"
	"  present_ns INTEGER NOT NULL,\n"
	"  migrations INTEGER NOT NULL,\n"
	"  PRIMARY KEY (run, thread)\n"
	") WITHOUT ROWID;\n"
	/* 95 % bootstrap intervals, where a run has several samples. */
	"CREATE TABLE interval (\n"
	"  run INTEGER NOT NULL REFERENCES run,\n"
	"  metric TEXT NOT NULL,\n"
	"  low REAL,\n"
	"  high REAL,\n"
	"  PRIMARY KEY (run, metric)\n"
	") WITHOUT ROWID;\n"
	/* What took how long: no part of the results. */
	"CREATE TABLE timing (\n"
	"  run INTEGER PRIMARY KEY REFERENCES run,\n"
	"  started_unix_ms INTEGER NOT NULL,\n"
	"  wall_ns INTEGER NOT NULL,\n"
	"  cpu_ns INTEGER NOT NULL,\n"
	"  worker INTEGER NOT NULL\n"
	");\n";
