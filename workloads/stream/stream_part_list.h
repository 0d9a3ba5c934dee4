/* What a chunk of a stream consists of, in the order in which its parts are stored: STREAM_PART(suffix, what it holds).
 * FORMAT.md says how. */
STREAM_PART(BLOCKS, "of each new block, how many instructions it has, and where it begins")
STREAM_PART(LENGTHS, "of each instruction of new blocks, its length")
STREAM_PART(CLASSES, "the same, its class")
STREAM_PART(REGISTERS, "the same, three sources and the destination")
STREAM_PART(TARGETS, "of those with a target, where it is")
STREAM_PART(SEQUENCE, "which block follows, where it is not the expected one")
STREAM_PART(JUMPS, "which block it is, where it is none of the last that followed")
STREAM_PART(SHAPES, "which instructions access memory, where that changes")
STREAM_PART(HITS, "which of the expected addresses an access has, where it is not the first")
STREAM_PART(SIZES, "how many bytes are accessed, where that changes")
STREAM_PART(STEPS, "how far an access is from its instruction's last")
STREAM_PART(LEAPS, "how far an access is from the one before it")
