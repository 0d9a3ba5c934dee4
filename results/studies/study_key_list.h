/* The keys of a study, which `sahm compare` reads:
 * KEY(symbol, path, kinds, unit, default as written, min, max, help). `sahm help studies` comes from here.
 * To add a key: a row here, read in study.c; rows in tests/unit/results/studies/test_study.c. */
#define STUDY_KEYS(KEY) \
KEY(STUDY_COSTS, "costs_ms", CFG_NUMBER | CFG_ARRAY, "ms", "", 0, 1e6, \
    "migration costs, rising; everything is run with each of them; required") \
KEY(STUDY_SUBJECT, "subject", CFG_STRING, "", "", 0, 0, \
    "the policy that is compared with all others, by its name below; without it none is") \
KEY(STUDY_REFERENCE, "reference", CFG_STRING, "", "", 0, 0, \
    "the policy whose speedup at the lowest cost is 100 %, by its name below; without it none is") \
KEY(STUDY_POLICIES, "policies", CFG_LIST, "", "", 0, 0, "the policies, a row of the table each; required") \
KEY(STUDY_POLICY, "policies[]", CFG_GROUP, "", "", 0, 0, "one of them") \
KEY(STUDY_POLICY_POLICY, "policies[].policy", CFG_STRING, "", "", 0, 0, \
    "a policy that came with sahm, by its name, or the file of a plug-in, relative to the comparison; required") \
KEY(STUDY_POLICY_NAME, "policies[].name", CFG_STRING, "", "", 0, 0, \
    "name in the report, different from all others; without it the policy's name") \
KEY(STUDY_POLICY_ORACLE, "policies[].oracle", CFG_BOOL, "", "false", 0, 0, "as scheduler.oracle of a configuration") \
KEY(STUDY_POLICY_INERTIA, "policies[].inertia", CFG_INT, "scheduling passes", "", 0, 1000000, \
    "as scheduler.inertia; without it what the configuration says") \
KEY(STUDY_POLICY_SETS, "policies[].set", CFG_LIST | CFG_ARRAY, "", "", 0, 0, "further changes of the configuration for it") \
KEY(STUDY_POLICY_SET, "policies[].set[]", CFG_STRING, "\"scheduler.timestep_ms=5\"", "", 0, 0, \
    "one change, as `sahm run --set` takes it") \
KEY(STUDY_SUITES, "suites", CFG_LIST, "", "", 0, 0, "chips with their threads, on each of which all policies are run; required") \
KEY(STUDY_SUITE, "suites[]", CFG_GROUP, "", "", 0, 0, "one of them") \
KEY(STUDY_SUITE_NAME, "suites[].name", CFG_STRING, "", "", 0, 0, "name of the suite in the report; required") \
KEY(STUDY_SUITE_CONFIG, "suites[].config", CFG_STRING, "", "", 0, 0, \
    "its configuration, relative to the comparison, then to the data folder; its costs take the place of migration.cost_ms; required") \
KEY(STUDY_SUITE_PROFILE, "suites[].profile", CFG_STRING, "", "", 0, 0, \
    "a profile from which its traces are generated in memory, in the place of those of the same names in the configuration; found like that") \
KEY(STUDY_SUITE_SEED, "suites[].seed", CFG_INT, "", "", 0, MAX_SEED, \
    "the seed, instead of the profile's; beyond 32 bits written with an L at the end") \
KEY(STUDY_SUITE_SETS, "suites[].set", CFG_LIST | CFG_ARRAY, "", "", 0, 0, "further changes of the configuration") \
KEY(STUDY_SUITE_SET, "suites[].set[]", CFG_STRING, "\"workload.duration_ms=60000\"", "", 0, 0, \
    "one change, as `sahm run --set` takes it") \
KEY(STUDY_CLAIMS, "claims", CFG_LIST, "", "", 0, 0, "claims about the policies, checked below the table") \
KEY(STUDY_CLAIM, "claims[]", CFG_GROUP, "", "", 0, 0, "one claim: one of above, max_loss_points, min_share_pct and max_below_best_points") \
KEY(STUDY_CLAIM_POLICY, "claims[].policy", CFG_STRING, "", "", 0, 0, "of which policy, by its name; without it of the subject") \
KEY(STUDY_CLAIM_SUITE, "claims[].suite", CFG_STRING, "", "", 0, 0, "on which suite, by its name; without it on the first") \
KEY(STUDY_CLAIM_ABOVE, "claims[].above", CFG_STRING, "", "", 0, 0, \
    "its mean speedup is above that of this policy at every cost") \
KEY(STUDY_CLAIM_METRIC, "claims[].metric", CFG_STRING, "", "speedup_mean", 0, 0, \
    "of above: the metric of a run in which it is better, as `sahm compare --metric`") \
KEY(STUDY_CLAIM_SOURCE, "claims[].source", CFG_STRING, "", "", 0, 0, \
    "of above: the publication that claims this of such a policy, on other systems; such a claim is never required") \
KEY(STUDY_CLAIM_PUBLISHED, "claims[].published", CFG_STRING, "", "", 0, 0, \
    "by how much it is better there, as text; without it the report says that no number was found") \
KEY(STUDY_CLAIM_LOSS, "claims[].max_loss_points", CFG_NUMBER, "percentage points", "", 0, 1e6, \
    "its mean speedup falls by at most this from the lowest to the highest cost") \
KEY(STUDY_CLAIM_SHARE, "claims[].min_share_pct", CFG_NUMBER, "%", "", 0, 1e6, \
    "it reaches at least this share of the reference's mean speedup at the lowest cost") \
KEY(STUDY_CLAIM_BEST, "claims[].max_below_best_points", CFG_NUMBER, "percentage points", "", 0, 1e6, \
    "at every cost, its mean speedup is at most this far below that of the best policy without the oracle") \
KEY(STUDY_CLAIM_REQUIRED, "claims[].required", CFG_BOOL, "", "true", 0, 0, \
    "true: when it does not hold, the command fails; false, and always beside a source: it is only wanted")
