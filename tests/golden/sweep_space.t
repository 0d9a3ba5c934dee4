## sahm help sweeps
$ sahm help sweeps
A sweep runs a configuration at every point of a space: every value of each
axis, combined with every value of all others. The section `sweep` of the
configuration lists the axes; its keys begin with "sweep.":

  evaluator
      evaluation of each point: run (simulated) or limit (the upper bound of its
      chip, from residencies). Default: run.
  axes
      what is varied, each with every other; the first varies slowest, and
      settings are made in the order of axes.
  axes[]
      one axis: one of key, zip, points and generator.
  axes[].name
      name of the axis, different from all others; without it the keys joined by
      +, point or chip.
  axes[].key
      a key of the configuration, as --set takes it.
  axes[].values
      its values: a list, whose elements may be lists and groups themselves, or
      a range as a string, "FIRST..LAST" or "FIRST..LAST..STEP", with up to nine
      decimals; required with a key.
  axes[].zip
      keys that change together, each with as many values.
  axes[].zip[]
      one of them.
  axes[].zip[].key
      as of an axis; required.
  axes[].zip[].values
      as of an axis; required.
  axes[].points
      values that have names and make any settings.
  axes[].points[]
      one of them.
  axes[].points[].name
      name of the value, different from all others; required.
  axes[].points[].set
      its settings; without any, what the configuration says.
  axes[].points[].set[]
      one setting, as `sahm run --set` takes it.
  axes[].generator
      chips in the place of chip.cores: paper (every component has a core of one
      of the speedups, or none) or mixes (all numbers of cores of some types
      within bounds).
  axes[].baseline
      paper: baseline cores of every chip. Default: 1 core. Range: 0 to 4096
      cores.
  axes[].each
      paper: cores of every component that has any. Default: 1 core. Range: 1 to
      4096 cores.
  axes[].fill
      paper: true: as many baseline cores stand in for those that a component
      does not have, so that all chips have equally many. Default: false.
  axes[].speedups_pct
      paper: speedups that a component's cores can have; the three of the
      default make the paper's 256 chips. Default: [10, 20, 30] %. Range:
      -99.9999 to 99900 %.
  axes[].types
      mixes: the types of core; required.
  axes[].types[]
      mixes: one of them.
  axes[].types[].type
      mixes: as chip.cores[].type; required.
  axes[].types[].speedup_pct
      mixes: as chip.cores[].speedup_pct. Range: -99.9999 to 99900 %.
  axes[].types[].least
      mixes: minimum number of cores of this type. Default: 0 cores. Range: 0 to
      4096 cores.
  axes[].types[].most
      mixes: maximum number of cores of this type; without it as many as a chip
      can have. Range: 0 to 4096 cores.
  axes[].types[].area_mm2
      mixes: area of one core of it, for max_area_mm2, in the place of what
      `costs` says. Range: 0 to 1000000 mm2.
  axes[].types[].power_w
      mixes: power of one core of it, for max_power_w, in the place of what
      `costs` says. Range: 0 to 1000000 W.
  axes[].cores
      mixes: most cores of a chip; required. Range: 1 to 4096 cores.
  axes[].least_cores
      mixes: minimum number of cores of a chip; without it all have the number
      that `cores` gives. Range: 1 to 4096 cores.
  axes[].costs
      mixes: table of what cores of each type cost, relative to the
      configuration, then to the data folder; required by a budget if a type
      lacks the figure.
  axes[].max_area_mm2
      mixes: a budget: most area of all cores together. Range: 0 to 1000000000
      mm2.
  axes[].max_power_w
      mixes: a budget: most power of all cores together. Range: 0 to 1000000000
      W.

On the command line, --axis adds an axis after those of the section, and --zip a
key that changes together with the --axis before it:
  KEY=V1,V2,...               a key with its values, written as --set takes
                              them; commas inside of quotes and brackets are
                              part of a value
  KEY=FIRST..LAST[..STEP]     a range of numbers, with up to nine decimals; its
                              step is 1 unless given, in the unit of both:
                              1s..5s
  chip=paper[:KEY=VALUE,...]  the paper's chips, with keys of the generator as
                              in the section
  chip=mixes:KEY=VALUE,...    mixes, likewise

No two axes set the same key; of two where one leads to the other (chip.cores,
which a generator sets, and chip.cores[1].count), the longer comes later.

A section:
  sweep : { axes = (
    { generator = "mixes"; cores = 4; types = ( { type = "baseline"; },
        { type = "l2"; speedup_pct = 30.0; most = 2; } ); },
    { key = "scheduler.policy"; values = ["sahm", "keen"]; name = "policy"; },
    { zip = ( { key = "scheduler.inertia"; values = [0, 5]; },
              { key = "migration.cost_ms"; values = "0..1"; } ); } ); };
The same on the command line:
  --axis 'chip=mixes:cores=4,types=({type="baseline";},
          {type="l2";speedup_pct=30.0;most=2;})'
  --axis scheduler.policy=sahm,keen
  --axis scheduler.inertia=0,5 --zip migration.cost_ms=0..1
The paper's chips: --axis chip=paper:baseline=7,each=8,fill=true
