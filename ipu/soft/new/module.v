// Counts mispredicted branches, and sets of inputs with more than `limit` of them, which it sends as packets.
//
// clk has one rising edge in each cycle of the soft logic. branch_misses_valid says whether a set of inputs has arrived
// in this cycle. A module with the port `cycle`, the number of the cycle, gets only cycles in which a set arrives; with
// a module without it, long idle times take long. The lines below say which registers the program finds where; the
// ports reg_* are their bus.
//
// sahm: register sets      0x00 r
// sahm: register misses_lo 0x04 r
// sahm: register misses_hi 0x08 r
// sahm: register bursts    0x0c r
// sahm: register limit     0x10 rw

module @TOP@ (
	input clk,
	input rst,
	input [63:0] cycle,
	input [63:0] branch_misses,
	input branch_misses_valid,
	input [11:0] reg_addr,
	input reg_write,
	input [31:0] reg_wdata,
	output reg [31:0] reg_rdata,
	output reg out_valid,
	output reg [31:0] out_data
);
	reg [31:0] sets, bursts, limit;
	reg [63:0] misses;
	wire is_burst = branch_misses > {32'd0, limit};

	always @(posedge clk) begin
		out_valid <= 0;
		if (rst) begin
			sets <= 0;
			misses <= 0;
			bursts <= 0;
			limit <= 8;
		end else if (reg_write) begin
			if (reg_addr == 12'h010)
				limit <= reg_wdata;
		end else if (branch_misses_valid) begin
			sets <= sets + 1;
			misses <= misses + branch_misses;
			bursts <= bursts + {31'd0, is_burst};
			out_valid <= is_burst;
			out_data <= branch_misses[31:0];
		end
	end

	always @*
		case (reg_addr)
		12'h000: reg_rdata = sets;
		12'h004: reg_rdata = misses[31:0];
		12'h008: reg_rdata = misses[63:32];
		12'h00c: reg_rdata = bursts;
		12'h010: reg_rdata = limit;
		default: reg_rdata = 0;
		endcase
endmodule
