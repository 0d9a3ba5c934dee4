/* Policies about programs for IPUs, from the strictest on, and the class of keys that each takes beside those of the rows
 * before it: POLICY(symbol, name, symbol of the class, name of the class, what the policy asks for, what holders of such
 * keys are). Source: dissertation, section 2.2, "Privacy". */
POLICY(CLOSED, "closed", VENDOR, "vendor", "a vendor key", "who makes the chip")
POLICY(RESTRICTIVE, "restrictive", REVIEWED, "reviewed", "a vendor key or that of a reviewer", "who reads a program's source before signing it")
POLICY(PERMISSIVE, "permissive", DEVELOPER, "developer", "any key that the trust file lists", "developers with credentials")
