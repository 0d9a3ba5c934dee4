// A first-level instruction cache with a prefetcher that is not there yet: tags only, beside the tags of the same cache
// without a prefetcher. An IPU_pro tries the prefetcher out with it on a core that does not have it.
//
// The rules are those of docs/cores.md, section on entangling; the clock c there is the number of the soft cycle. Tags of lines
// that are requested are there at once; a first use is late if it comes less than the latency of a miss after that. All of a fetch is one cycle, in one
// process: the rules apply one after the other, so assignments are blocking. Loops have constant bounds.
//
// Inputs: fetch_pc, a fetch; fetch_latency, where the core's own L1I missed: cycles to the level that served it.
// Replacement is LRU: `order` lists the ways of a set, 4 bits each, the one used last in the low bits.
//
// Word 8 n + k of the table, by the registers peek and peeked: of entry n, for k = 0 bit 31 valid, bits 19 to 16 size,
// bits 9 to 0 tag; for k = 1 to 4 the destinations in the order in which they joined, bits 21 and 20 confidence, bits
// 19 to 0 low bits of the line; else 0.
//
// Registers that can be written keep their value at a reset, and where the value written is impossible; the shape of
// cache and table is fixed. A cycle with reg_write is none for the caches.
//
// sahm: register prefetcher       0x00 rw
// sahm: register latency          0x04 rw
// sahm: register latency_other    0x08 rw
// sahm: register sets             0x0c rw
// sahm: register ways             0x10 rw
// sahm: register line_shift       0x14 rw
// sahm: register entries          0x18 rw
// sahm: register fetches_lo       0x40 r
// sahm: register fetches_hi       0x44 r
// sahm: register base_misses_lo   0x48 r
// sahm: register base_misses_hi   0x4c r
// sahm: register misses_lo        0x50 r
// sahm: register misses_hi        0x54 r
// sahm: register prefetches_lo    0x58 r
// sahm: register prefetches_hi    0x5c r
// sahm: register used_lo          0x60 r
// sahm: register used_hi          0x64 r
// sahm: register late_lo          0x68 r
// sahm: register late_hi          0x6c r
// sahm: register unused_lo        0x70 r
// sahm: register unused_hi        0x74 r
// sahm: register peek             0x80 rw
// sahm: register peeked           0x84 r

// Blocking assignments in a clocked process: see above.
// verilator lint_off BLKSEQ

module l1i_entangling #(
	parameter SETS = 64,		// a power of two
	parameter WAYS = 8,		// 2, 4, 8 or 16
	parameter LINE_SHIFT = 6,	// log2 of the bytes of a line
	parameter ENTRIES = 2048	// of the table: 16 times a power of two
) (
	input clk,
	input rst,
	input [63:0] cycle,
	// verilator lint_off UNUSEDSIGNAL
	input [47:0] fetch_pc, // bytes of a line are not looked at
	// verilator lint_on UNUSEDSIGNAL
	input fetch_pc_valid,
	input [15:0] fetch_latency,
	input fetch_latency_valid,
	input [11:0] reg_addr,
	input reg_write,
	input [31:0] reg_wdata,
	output reg [31:0] reg_rdata
);
	localparam LINE_BITS = 48 - LINE_SHIFT;
	localparam SET_BITS = $clog2(SETS);
	localparam WAY_BITS = $clog2(WAYS);
	localparam TAG_BITS = LINE_BITS - SET_BITS;
	localparam ENTRY_BITS = $clog2(ENTRIES);
	localparam ROW_BITS = ENTRY_BITS - 4; // the table has rows of 16 entries
	localparam KEY_BITS = ROW_BITS + 10;  // by which an entry knows its line
	localparam MARK_BITS = ENTRY_BITS + 1;
	localparam PAGE_SHIFT = 12 - LINE_SHIFT;

	localparam [1:0] NEXT_LINE = 1, ENTANGLING = 2; // of the register prefetcher
	localparam [5:0] MAX_PREFETCHES = 32;		 // of a fetch
	localparam [63:0] MAX_FILLS = 1024;		 // until a prefetch has arrived in any case

	// The first use of a prefetched line.
	localparam [1:0] OTHER = 0, IN_TIME = 1, LATE = 2;

	// Ways 0 to 15 from the one used longest ago, and the first WAYS of them.
	localparam [63:0] ALL_WAYS = 64'h0123456789abcdef;
	localparam [63:0] FIRST_ORDER = ALL_WAYS >> 4 * (16 - WAYS);

	// ---- State ----

	reg [1:0] prefetcher;
	reg [15:0] latency, latency_other;
	reg [31:0] peek;
	reg [63:0] fetches, base_misses, misses, prefetches, used, late, unused;
	reg has_fetched;
	reg [LINE_BITS - 1:0] fetched;

	// Tags have a 1 in front; 0 is a free place.
	reg [TAG_BITS:0] base_tags [0:SETS - 1][0:WAYS - 1];
	reg [63:0] base_order [0:SETS - 1];
	reg [TAG_BITS:0] tags [0:SETS - 1][0:WAYS - 1];
	reg [63:0] order [0:SETS - 1];
	reg prefetched [0:SETS - 1][0:WAYS - 1]; // and not used yet; these have the rest:
	reg [MARK_BITS - 1:0] marks [0:SETS - 1][0:WAYS - 1];
	reg [63:0] requested [0:SETS - 1][0:WAYS - 1]; // in this cycle
	reg [63:0] fill_numbers [0:SETS - 1][0:WAYS - 1];
	reg [63:0] fills;
	reg [5:0] nr_requests; // of this fetch that brought a line in

	// The table; its tags have a 1 in front as well.
	reg [63:0] table_tags [0:ENTRIES / 16 - 1][0:3]; // four of 16 bits in each
	reg [63:0] table_order [0:ENTRIES / 16 - 1];
	reg [3:0] sizes [0:ENTRIES - 1];
	reg [21:0] destinations [0:ENTRIES - 1][0:3]; // confidence, low bits of the line

	reg [LINE_BITS - 1:0] head_lines [0:15]; // the last heads, a ring
	reg [19:0] head_clocks [0:15];
	reg [3:0] next_head;
	reg [4:0] nr_heads; // at most 16
	reg has_block, is_block_new;
	reg [LINE_BITS - 1:0] head, last; // of the block

	// ---- Replacement ----

	// A list of ways in which `way` comes to the front.
	function automatic [63:0] to_front(input [63:0] list, input [3:0] way);
		reg [63:0] differs, place;
		begin
			differs = list ^ {16{way}};
			place = (differs - 64'h1111111111111111) & ~differs & 64'h8888888888888888;
			place = place & (~place + 1); // the top bit of way's digit
			to_front = (list & ~((place << 1) - 1)) | (list & ((place >> 3) - 1)) << 4 | {60'd0, way};
		end
	endfunction

	// ---- Tags ----

	// {found, way}
	function automatic [WAY_BITS:0] find_base(input [LINE_BITS - 1:0] line);
		integer i;
		begin
			find_base = 0;
			for (i = 0; i < WAYS; i = i + 1)
				if (base_tags[line[SET_BITS - 1:0]][i] == {1'b1, line[LINE_BITS - 1:SET_BITS]})
					find_base = {1'b1, i[WAY_BITS - 1:0]};
		end
	endfunction

	function automatic [WAY_BITS:0] find(input [LINE_BITS - 1:0] line);
		integer i;
		begin
			find = 0;
			for (i = 0; i < WAYS; i = i + 1)
				if (tags[line[SET_BITS - 1:0]][i] == {1'b1, line[LINE_BITS - 1:SET_BITS]})
					find = {1'b1, i[WAY_BITS - 1:0]};
		end
	endfunction

	task automatic fetch_base(input [LINE_BITS - 1:0] line);
		reg [WAY_BITS:0] found;
		reg [SET_BITS - 1:0] set;
		reg [3:0] way;
		begin
			found = find_base(line);
			set = line[SET_BITS - 1:0];
			way = base_order[set][4 * WAYS - 1 -: 4];
			if (found[WAY_BITS])
				way[WAY_BITS - 1:0] = found[WAY_BITS - 1:0];
			else begin
				base_misses = base_misses + 1;
				base_tags[set][way[WAY_BITS - 1:0]] = {1'b1, line[LINE_BITS - 1:SET_BITS]};
			end
			base_order[set] = to_front(base_order[set], way);
		end
	endtask

	// In place of the line used longest ago, which is reported if it leaves unused.
	task automatic fill(input [LINE_BITS - 1:0] line, input is_prefetch, input [MARK_BITS - 1:0] mark);
		reg [SET_BITS - 1:0] set;
		reg [3:0] way;
		reg [WAY_BITS - 1:0] place;
		begin
			set = line[SET_BITS - 1:0];
			way = order[set][4 * WAYS - 1 -: 4];
			place = way[WAY_BITS - 1:0];
			if (prefetched[set][place]) begin
				unused = unused + 1;
				judge({tags[set][place][19 - SET_BITS:0], set}, marks[set][place], 1'b0);
			end
			fills = fills + 1;
			tags[set][place] = {1'b1, line[LINE_BITS - 1:SET_BITS]};
			prefetched[set][place] = is_prefetch;
			marks[set][place] = mark;
			requested[set][place] = cycle;
			fill_numbers[set][place] = fills;
			order[set] = to_front(order[set], way);
		end
	endtask

	// ---- The table ----

	// {found, entry}
	function automatic [ENTRY_BITS:0] find_entry(input [KEY_BITS - 1:0] key);
		reg [63:0] differs, equal;
		integer i;
		begin
			find_entry = 0;
			for (i = 0; i < 4; i = i + 1) begin
				differs = table_tags[key[ROW_BITS - 1:0]][i] ^ {4{6'd1, key[ROW_BITS +: 10]}};
				equal = (differs - 64'h0001000100010001) & ~differs & 64'h8000800080008000;
				if (equal != 0)
					find_entry = {1'b1, key[ROW_BITS - 1:0], i[1:0],
						      equal[15] ? 2'd0 : equal[31] ? 2'd1 : equal[47] ? 2'd2 : 2'd3};
			end
		end
	endfunction

	task automatic use_entry(input [ENTRY_BITS - 1:0] entry);
		table_order[entry[ENTRY_BITS - 1:4]] = to_front(table_order[entry[ENTRY_BITS - 1:4]], entry[3:0]);
	endtask

	// The line's entry, used now: its own, or a new one.
	task automatic make_entry(input [KEY_BITS - 1:0] key, output [ENTRY_BITS - 1:0] entry);
		reg [ENTRY_BITS:0] found;
		integer i;
		begin
			found = find_entry(key);
			entry = found[ENTRY_BITS - 1:0];
			if (!found[ENTRY_BITS]) begin
				entry = {key[ROW_BITS - 1:0], table_order[key[ROW_BITS - 1:0]][63:60]};
				table_tags[entry[ENTRY_BITS - 1:4]][entry[3:2]][16 * entry[1:0] +: 16] = {6'd1, key[ROW_BITS +: 10]};
				sizes[entry] = 0;
				for (i = 0; i < 4; i = i + 1)
					destinations[entry][i] = 0;
			end
			use_entry(entry);
		end
	endtask

	// {found, place} of the line among the destinations of an entry.
	function automatic [2:0] find_destination(input [ENTRY_BITS - 1:0] entry,
							       input [19:0] line);
		integer i;
		begin
			find_destination = 0;
			for (i = 0; i < 4; i = i + 1)
				if (destinations[entry][i][21:20] != 0 &&
				    destinations[entry][i][19:0] == line)
					find_destination = {1'b1, i[1:0]};
		end
	endfunction

	// Rule 1. A prefetched line was used in time, or was not; `mark` is 1 + the entry that requested it, or 0.
	task automatic judge(input [19:0] line, input [MARK_BITS - 1:0] mark, input is_good);
		reg [ENTRY_BITS - 1:0] entry;
		reg [2:0] found;
		reg [1:0] confidence;
		begin
			entry = mark[ENTRY_BITS - 1:0] - 1;
			found = mark == 0 ? 0 : find_destination(entry, line);
			confidence = destinations[entry][found[1:0]][21:20];
			if (found[2] && !(is_good && confidence == 3))
				destinations[entry][found[1:0]][21:20] = is_good ? confidence + 1 : confidence - 1;
		end
	endtask

	// Rule 3. The block has ended.
	task automatic keep_size;
		reg [ENTRY_BITS:0] found;
		reg [ENTRY_BITS - 1:0] entry;
		reg [3:0] size;
		begin
			size = last[3:0] - head[3:0]; // it has at most 16 lines
			found = find_entry(head[KEY_BITS - 1:0]);
			entry = found[ENTRY_BITS - 1:0];
			if (!found[ENTRY_BITS] && is_block_new)
				make_entry(head[KEY_BITS - 1:0], entry);
			if ((found[ENTRY_BITS] || is_block_new) && sizes[entry] < size)
				sizes[entry] = size;
		end
	endtask

	// Rules 4 and 5. `line` has missed, or was late.
	task automatic join_source(input [LINE_BITS - 1:0] line, input [15:0] line_latency);
		reg [3:0] place;
		reg [4:0] i;
		reg [19:0] age;
		reg is_old;
		begin
			place = next_head;
			is_old = 0;
			for (i = 0; i < nr_heads && !is_old; i = i + 1) begin
				place = place - 1;
				age = cycle[19:0] - head_clocks[place];
				is_old = age >= {4'd0, line_latency};
			end
			if (nr_heads != 0 && head_lines[place] != line &&
			    head_lines[place][LINE_BITS - 1:20] == line[LINE_BITS - 1:20])
				join_entry(head_lines[place][KEY_BITS - 1:0], line[19:0]);
		end
	endtask

	task automatic join_entry(input [KEY_BITS - 1:0] source, input [19:0] line);
		reg [ENTRY_BITS - 1:0] entry;
		reg [1:0] leaves;
		integer i;
		begin
			make_entry(source, entry);
			if (find_destination(entry, line) < 4) begin // it is none of them
				leaves = 0;
				for (i = 1; i < 4; i = i + 1)
					if (destinations[entry][i][21:20] < destinations[entry][leaves][21:20])
						leaves = i[1:0];
				for (i = 0; i < 3; i = i + 1)
					if (i[1:0] >= leaves)
						destinations[entry][i] = destinations[entry][i + 1];
				destinations[entry][3] = {2'd2, line};
			end
		end
	endtask

	// ---- Requests ----

	task automatic request(input [LINE_BITS - 1:0] line, input [MARK_BITS - 1:0] mark);
		reg [WAY_BITS:0] found;
		begin
			found = find(line);
			if (!found[WAY_BITS] && nr_requests != MAX_PREFETCHES) begin
				nr_requests = nr_requests + 1;
				prefetches = prefetches + 1;
				fill(line, 1'b1, mark);
			end
		end
	endtask

	// Rule 7. The blocks are those of the table before the first of them is brought in.
	task automatic request_blocks;
		reg [ENTRY_BITS:0] found, block;
		reg [MARK_BITS - 1:0] mark;
		reg [LINE_BITS - 1:0] lines [0:4]; // the first of each
		reg [4:0] nr_lines [0:4];
		reg [21:0] destination;
		reg [4:0] k;
		integer i;
		begin
			found = find_entry(head[KEY_BITS - 1:0]);
			if (found[ENTRY_BITS]) begin
				mark = {1'b0, found[ENTRY_BITS - 1:0]} + 1;
				use_entry(found[ENTRY_BITS - 1:0]);
				lines[0] = head + 1;
				nr_lines[0] = {1'b0, sizes[found[ENTRY_BITS - 1:0]]};
				for (i = 0; i < 4; i = i + 1) begin
					destination = destinations[found[ENTRY_BITS - 1:0]][i];
					lines[i + 1] = {head[LINE_BITS - 1:20], destination[19:0]};
					nr_lines[i + 1] = 0;
					if (destination[21:20] != 0) begin
						block = find_entry(lines[i + 1][KEY_BITS - 1:0]);
						nr_lines[i + 1] = 1;
						if (block[ENTRY_BITS])
							nr_lines[i + 1] = 1 + {1'b0, sizes[block[ENTRY_BITS - 1:0]]};
					end
				end
				for (i = 0; i < 5; i = i + 1)
					for (k = 0; k < nr_lines[i]; k = k + 1)
						request(lines[i] + {{LINE_BITS - 5{1'b0}}, k}, mark);
			end
		end
	endtask

	// ---- A fetch of another line than the one before ----

	task automatic watch(input [LINE_BITS - 1:0] line, input is_new, input [1:0] first_use,
			     input [15:0] line_latency);
		if (has_block && line == last + 1 && line - head < 16) begin
			last = line;
			is_block_new = is_block_new | is_new;
		end else begin
			if (has_block)
				keep_size;
			if (is_new && first_use != IN_TIME)
				join_source(line, line_latency);
			head_lines[next_head] = line;
			head_clocks[next_head] = cycle[19:0];
			next_head = next_head + 1;
			if (nr_heads != 16)
				nr_heads = nr_heads + 1;
			head = line;
			last = line;
			has_block = 1;
			is_block_new = 0;
			request_blocks;
		end
	endtask

	task automatic fetch(input [LINE_BITS - 1:0] line);
		reg [WAY_BITS:0] found;
		reg [SET_BITS - 1:0] set;
		reg [WAY_BITS - 1:0] place;
		reg [3:0] way;
		reg [1:0] first_use;
		reg [15:0] line_latency;
		reg [LINE_BITS - 1:0] next;
		begin
			fetches = fetches + 1;
			line_latency = latency != 0 ? latency : fetch_latency_valid ? fetch_latency : latency_other;
			fetch_base(line);
			found = find(line);
			set = line[SET_BITS - 1:0];
			place = found[WAY_BITS - 1:0];
			first_use = OTHER;
			if (!found[WAY_BITS]) begin
				misses = misses + 1;
				fill(line, 1'b0, 0);
			end else begin
				way = 0;
				way[WAY_BITS - 1:0] = place;
				order[set] = to_front(order[set], way);
				if (prefetched[set][place]) begin
					first_use = fills - fill_numbers[set][place] < MAX_FILLS && cycle - requested[set][place] < {48'd0, line_latency} ? LATE : IN_TIME;
					used = used + 1;
					late = late + {63'd0, first_use == LATE};
					prefetched[set][place] = 0;
					if (prefetcher == ENTANGLING)
						judge(line[19:0], marks[set][place], first_use == IN_TIME);
				end
			end
			next = line + 1;
			nr_requests = 0;
			if (prefetcher == ENTANGLING)
				watch(line, !found[WAY_BITS] || first_use != OTHER, first_use, line_latency);
			else if (prefetcher == NEXT_LINE && (!found[WAY_BITS] || first_use != OTHER) &&
				 next[LINE_BITS - 1:PAGE_SHIFT] == line[LINE_BITS - 1:PAGE_SHIFT])
				request(next, 0);
		end
	endtask

	task automatic clear;
		integer i, k;
		begin
			{fetches, base_misses, misses, prefetches, used, late, unused, fills} = 0;
			{has_fetched, has_block, nr_heads} = 0;
			for (i = 0; i < SETS; i = i + 1) begin
				base_order[i] = FIRST_ORDER;
				order[i] = FIRST_ORDER;
				for (k = 0; k < WAYS; k = k + 1) begin
					base_tags[i][k] = 0;
					tags[i][k] = 0;
					prefetched[i][k] = 0;
				end
			end
			for (i = 0; i < ENTRIES / 16; i = i + 1) begin
				table_order[i] = ALL_WAYS;
				for (k = 0; k < 4; k = k + 1)
					table_tags[i][k] = 0;
			end
		end
	endtask

	initial begin
		prefetcher = ENTANGLING;
		latency = 15;
		latency_other = 15;
		peek = 0;
	end

	always @(posedge clk)
		if (rst)
			clear;
		else if (reg_write)
			case (reg_addr)
			12'h000: if (reg_wdata <= 2) prefetcher = reg_wdata[1:0];
			12'h004: if (reg_wdata[31:16] == 0) latency = reg_wdata[15:0];
			12'h008: if (reg_wdata[31:16] == 0) latency_other = reg_wdata[15:0];
			12'h080: peek = reg_wdata;
			default: ;
			endcase
		else if (fetch_pc_valid && !(has_fetched && fetched == fetch_pc[47:LINE_SHIFT])) begin
			has_fetched = 1;
			fetched = fetch_pc[47:LINE_SHIFT];
			fetch(fetched);
		end

	// ---- Registers ----

	wire [ENTRY_BITS - 1:0] peeked_entry = peek[ENTRY_BITS + 2:3];
	wire [10:0] peeked_tag = table_tags[peeked_entry[ENTRY_BITS - 1:4]][peeked_entry[3:2]][16 * peeked_entry[1:0] +: 11];
	wire [1:0] peeked_place = peek[1:0] - 1;
	reg [31:0] peeked;

	always @*
		if (peek[31:ENTRY_BITS + 3] != 0 || !peeked_tag[10] || peek[2:0] > 4)
			peeked = 0;
		else if (peek[2:0] == 0)
			peeked = {12'h800, sizes[peeked_entry], 6'd0, peeked_tag[9:0]};
		else
			peeked = {10'd0, destinations[peeked_entry][peeked_place]};

	always @*
		case (reg_addr)
		12'h000: reg_rdata = {30'd0, prefetcher};
		12'h004: reg_rdata = {16'd0, latency};
		12'h008: reg_rdata = {16'd0, latency_other};
		12'h00c: reg_rdata = SETS;
		12'h010: reg_rdata = WAYS;
		12'h014: reg_rdata = LINE_SHIFT;
		12'h018: reg_rdata = ENTRIES;
		12'h040: reg_rdata = fetches[31:0];
		12'h044: reg_rdata = fetches[63:32];
		12'h048: reg_rdata = base_misses[31:0];
		12'h04c: reg_rdata = base_misses[63:32];
		12'h050: reg_rdata = misses[31:0];
		12'h054: reg_rdata = misses[63:32];
		12'h058: reg_rdata = prefetches[31:0];
		12'h05c: reg_rdata = prefetches[63:32];
		12'h060: reg_rdata = used[31:0];
		12'h064: reg_rdata = used[63:32];
		12'h068: reg_rdata = late[31:0];
		12'h06c: reg_rdata = late[63:32];
		12'h070: reg_rdata = unused[31:0];
		12'h074: reg_rdata = unused[63:32];
		12'h080: reg_rdata = peek;
		12'h084: reg_rdata = peeked;
		default: reg_rdata = 0;
		endcase
endmodule
