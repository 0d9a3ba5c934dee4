// Counts cycles with mispredicted branches, and the branches. A packet at each one with more than `limit`.
//
// Each cycle in which a set of inputs arrives is a rising edge of clk; `*_valid` says which of them are in the set. The
// lines below say which registers the program finds where; the ports reg_* are their bus.
//
// sahm: register sets     0x00 r
// sahm: register branches 0x04 r
// sahm: register misses   0x08 r
// sahm: register limit    0x0c rw

module @TOP@ (
	input clk,
	input rst,
	input [63:0] branches,
	input branches_valid,
	input [63:0] branch_misses,
	input branch_misses_valid,
	input [11:0] reg_addr,
	input reg_write,
	input [31:0] reg_wdata,
	output reg [31:0] reg_rdata,
	output reg out_valid,
	output reg [31:0] out_data
);
	reg [31:0] sets, nr_branches, nr_misses, limit;

	always @(posedge clk) begin
		out_valid <= 0;
		if (rst) begin
			sets <= 0;
			nr_branches <= 0;
			nr_misses <= 0;
			limit <= 8;
		end else if (reg_write) begin
			if (reg_addr == 12'h00c)
				limit <= reg_wdata;
		end else if (branches_valid || branch_misses_valid) begin
			sets <= sets + 1;
			if (branches_valid)
				nr_branches <= nr_branches + branches[31:0];
			if (branch_misses_valid) begin
				nr_misses <= nr_misses + branch_misses[31:0];
				out_valid <= branch_misses > {32'd0, limit};
				out_data <= branch_misses[31:0];
			end
		end
	end

	always @*
		case (reg_addr)
		12'h000: reg_rdata = sets;
		12'h004: reg_rdata = nr_branches;
		12'h008: reg_rdata = nr_misses;
		12'h00c: reg_rdata = limit;
		default: reg_rdata = 0;
		endcase
endmodule
