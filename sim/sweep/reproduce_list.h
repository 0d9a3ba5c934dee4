/* The reproduced parts of the paper, in its order, with what changes if speedups are measured (ids with an m):
 * REPRODUCED(enum suffix, id, name of its files, study, heading, what it shows and how it is
 * read). Ids are those of claims (results/studies/claim_list.h). To add one: a row here, and its maker in
 * reproduce_figures.c; if it needs further runs, a configuration in configs/studies/paper, named in paper_study_names[].
 * Source: dissertation, sections 4.2 and 4.6 and appendix A.2. */
REPRODUCED(
	T4_3, "t4.3", "table_4_3", CHARACTERIZATION, "Table 4.3: thresholds from percentiles",
	"A metric is HIGH in an epoch if it is above its threshold. Two of the paper's three sets of thresholds, p25 and "
	"p50, are percentiles of each metric over all epochs of all its traces; the third, intuitive, is set by hand. The "
	"percentiles of these traces are shown beside them. The figures below use the paper's thresholds.")
REPRODUCED(
	4_2, "4.2", "figure_4_2", CHARACTERIZATION, "Figure 4.2: residency of states by set of thresholds",
	"How an average program spends its time, under each set of thresholds. In the paper, the low thresholds put most "
	"epochs into states in which everything is stressed, and the intuitive ones distinguish most states. The figures "
	"below use the intuitive ones.")
REPRODUCED(4_3, "4.3", "figure_4_3", CHARACTERIZATION, "Figure 4.3: mean residency of states",
	   "The last bar of figure 4.2, state by state.")
REPRODUCED(4_4, "4.4", "figure_4_4", CHARACTERIZATION, "Figure 4.4: residency of states by program",
	   "The same for each program. Programs that are mostly Low have little to gain from specialised cores.")
REPRODUCED(
	4_5, "4.5", "figure_4_5", CHARACTERIZATION, "Figure 4.5: transitions between states",
	"From which state programs go to which, as shares of all transitions between consecutive epochs; those within a "
	"state are left out. An empty cell was never seen.")
REPRODUCED(
	4_6, "4.6", "figure_4_6", CHARACTERIZATION, "Figure 4.6: lengths of intervals",
	"An interval is a run of epochs in one state. In the paper, most intervals are short, so that a thread should not "
	"follow every change. Long ones take up most of the time, which pays for a migration.")
REPRODUCED(
	4_7, "4.7", "figure_4_7", LIMIT, "Figure 4.7: upper bound of the canonical chip",
	"Each program runs without others on one baseline core and four specialised ones, always on the best core for its "
	"state, with free migrations: the most that such a chip can give. The simulations beside it decide once per "
	"timestep (policy assign with an oracle, without costs and inertia). They come closer as timesteps shrink.")
REPRODUCED(
	4_8, "4.8", "figure_4_8", BREADTH, "Figure 4.8: speedups over the configuration space",
	"The upper bound of each program on all chips with one baseline core and one to four specialised ones at 10, 20 or 30 %. "
	"A box shows how much it depends on the chip; a ring is the mean of simulations as in figure 4.7.")
REPRODUCED(
	4_9, "4.9", "figure_4_9", GENERALIST, "Figure 4.9: specialised chips against a better core",
	"A core that is a little better at everything, compared with chips whose cores are much better at one thing each; "
	"on two of them the branch core is a weaker one. A box is over programs; a ring is as in figure 4.8.")
REPRODUCED(
	4_10, "4.10", "figure_4_10", REALISTIC, "Figure 4.10: threads that compete",
	"As many threads as cores, under the scheduler: with the state of the coming timestep (Oracle) or of the last one "
	"(Ideal), with a cost for each migration, and with inertia, which holds a thread that has migrated for five "
	"scheduling passes.")
REPRODUCED(
	M4_7, "m4.7", "figure_m4_7", MEASURED_CHIPS, "Figures 4.7 and 4.9 with measured speedups",
	"The upper bound of chips with the speedups that the study assumes, beside chips with those that were measured: "
	"all specialised cores, only one of each kind, and a core that is a little better at everything. A box is over programs; "
	"a ring is as in figure 4.8.")
REPRODUCED(
	M4_8, "m4.8", "figure_m4_8", MEASURED_SPACE, "Figure 4.8 with measured speedups",
	"As figure 4.8, over all chips with one baseline core and up to one measured core of each kind.")
REPRODUCED(
	M4_10, "m4.10", "figure_m4_10", MEASURED_THREADS, "Figure 4.10 with measured speedups",
	"As figure 4.10, for the chips of the study and measured ones. An epoch lasts 100 ms, as in the figures above, or "
	"about as long as it would on the modelled core: a migration then costs many times more of an epoch.")
REPRODUCED(
	A_3, "A.3", "figure_A_3", BREADTH, "Figure A.3: the whole configuration space",
	"All chips of the space. A panel is for one kind of branch core; along it the other cores grow. A box is over "
	"programs. The first place of the top panel is empty: it is only the baseline core.")
REPRODUCED(
	BUDGET, "budget", "figure_budget", BUDGET, "Specialised and general cores within a budget",
	"How large may a specialised core be until chips of general cores, or only of baseline ones, do more within the same "
	"area or power? The paper claims better performance per area and per watt and gives no figure; nobody has published "
	"areas of its cores, so that break-even areas are the answer. A general core is as large as a baseline core in the "
	"figure. A line is the best chip of specialised cores, with or without baseline cores, for these programs.")
