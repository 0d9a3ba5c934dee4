/* How counters add up events of several sources (hpm.h): HPM_KIND(suffix, name, help). */
HPM_KIND(PLAIN, "plain", "1 in a cycle in which any source is high: Chipyard's own")
HPM_KIND(SCALAR, "scalar", "one counter for each source")
HPM_KIND(ADD, "add", "add wires: the number of sources that are high")
HPM_KIND(DISTRIBUTED, "distributed", "local counters at the sources, and one that collects their overflows")
