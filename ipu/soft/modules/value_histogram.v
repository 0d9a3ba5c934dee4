// How often values occur, of four numbers of 16 bits in each cycle (fp16: sign, exponent and the first bit of the
// fraction): 128 counters, which stop at their highest value. The program `histogram` counts the same.
//
// Input: v0, of the ABI spec "l1d_write"; `sahm ipu soft build --map v0=SIGNAL` names another one.
// The register count is that of the bucket in the register bucket.
//
// sahm: register values 0x00 r
// sahm: register bucket 0x04 rw
// sahm: register count  0x08 r

module value_histogram (
	input clk,
	input rst,
	// verilator lint_off UNUSEDSIGNAL
	input [63:0] v0, // the other bits of the fractions do not count
	// verilator lint_on UNUSEDSIGNAL
	input v0_valid,
	input [11:0] reg_addr,
	input reg_write,
	input [31:0] reg_wdata,
	output reg [31:0] reg_rdata
);
	reg [31:0] counts [0:127];
	reg [31:0] values, bucket;
	integer i;

	// Numbers of a set can be equal: each is counted after the one before.
	// verilator lint_off BLKSEQ
	always @(posedge clk)
		if (rst) begin
			values = 0;
			bucket = 0;
			for (i = 0; i < 128; i = i + 1)
				counts[i] = 0;
		end else if (reg_write) begin
			if (reg_addr == 12'h004)
				bucket = reg_wdata;
		end else if (v0_valid) begin
			values = values + 4;
			for (i = 0; i < 4; i = i + 1)
				if (counts[v0[16 * i + 9 +: 7]] != 32'hffffffff)
					counts[v0[16 * i + 9 +: 7]] = counts[v0[16 * i + 9 +: 7]] + 1;
		end
	// verilator lint_on BLKSEQ

	always @*
		case (reg_addr)
		12'h000: reg_rdata = values;
		12'h004: reg_rdata = bucket;
		12'h008: reg_rdata = bucket < 128 ? counts[bucket[6:0]] : 0;
		default: reg_rdata = 0;
		endcase
endmodule
