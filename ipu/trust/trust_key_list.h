/* The keys of a trust file, and of a file of revocations, which has `revoked` alone: KEY(enum suffix, path, kinds, unit,
 * default as written, min, max, help). Checks, suggestions and docs/signing.md's table come from here. */
#ifdef KEY
KEY(POLICY, "policy", CFG_STRING, "", "closed", 0, 0, "which keys are taken: closed, restrictive or permissive")
KEY(CONFIDENTIAL, "confidential", CFG_BOOL, "", "false", 0, 0, "whether no program runs at all")
KEY(DATE, "date", CFG_STRING, "\"2030-12-31\"", "", 0, 0, "the day by which it is judged what has expired; default: today (UTC)")
KEY(KEYS, "keys", CFG_LIST, "", "", 0, 0, "the keys whose signatures are taken")
KEY(KEY, "keys[]", CFG_GROUP, "", "", 0, 0, "one key")
KEY(KEY_NAME, "keys[].name", CFG_STRING, "", "", 0, 0, "what it is called in messages; required")
KEY(KEY_PUBLIC, "keys[].public", CFG_STRING, "64 hexadecimal digits", "", 0, 0, "its public half, as its .pub file has it; required")
KEY(KEY_CLASS, "keys[].class", CFG_STRING, "", "", 0, 0, "vendor, reviewed or developer; required")
KEY(KEY_EXPIRES, "keys[].expires", CFG_STRING, "\"2030-12-31\"", "never", 0, 0, "the last day on which it is good")
KEY(REVOCATIONS, "revocations", CFG_STRING, "", "", 0, 0, "a file that has `revoked` alone, relative to this one")
#endif
#ifdef REVOKED_KEY
REVOKED_KEY(REVOKED, "revoked", CFG_LIST, "", "", 0, 0, "what is trusted no more")
REVOKED_KEY(REVOKED_ROW, "revoked[]", CFG_GROUP, "", "", 0, 0, "a key or an image")
REVOKED_KEY(REVOKED_KEY, "revoked[].key", CFG_STRING, "32 hexadecimal digits", "", 0, 0, "id of a key; this or `image` is required")
REVOKED_KEY(REVOKED_IMAGE, "revoked[].image", CFG_STRING, "64 hexadecimal digits", "", 0, 0, "BLAKE2b-256 of an image, as signatures have it")
REVOKED_KEY(REVOKED_REASON, "revoked[].reason", CFG_STRING, "", "", 0, 0, "why, for the message; required")
#endif
