// A small chip for an event-driven simulator: gate-level multipliers, a shift register, a memory and two counters that meet.
`timescale 1ns/1ps
module cell1(input a, input b, input s, input c, output o, output co);
	wire ab, x, t1, t2;
	and #1 (ab, a, b);
	xor #1 (x, ab, s);
	xor #1 (o, x, c);
	and #1 (t1, x, c);
	and #1 (t2, ab, s);
	or #1 (co, t1, t2);
endmodule
module multiplier #(parameter N = 16) (input [N-1:0] a, input [N-1:0] b, output [2*N-1:0] p);
	wire [N:0] s [0:N];
	assign s[0] = 0;
	genvar i, j;
	generate for (i = 0; i < N; i = i + 1) begin : row
		wire [N:0] c;
		assign c[0] = 0;
		for (j = 0; j < N; j = j + 1) begin : column
			wire o;
			cell1 u(a[j], b[i], s[i][j], c[j], o, c[j+1]);
			if (j == 0) assign p[i] = o;
			else assign s[i+1][j-1] = o;
		end
		assign s[i+1][N-1] = c[N];
		assign s[i+1][N] = 0;
	end endgenerate
	assign p[2*N-1:N] = s[N][N-1:0];
endmodule
module chip;
	reg clk = 0;
	reg [15:0] a = 1, b = 3;
	wire [31:0] p;
	reg [31:0] lfsr = 32'hace1;
	reg [31:0] memory [0:4095];
	reg [63:0] sum = 0;
	integer n = 0, k;
	multiplier #(16) m(a, b, p);
	always #100 clk = ~clk;
	initial for (k = 0; k < 4096; k = k + 1) memory[k] = k * 2654435761;
	always @(posedge clk) begin
		lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]};
		a <= lfsr[15:0] ^ memory[lfsr[11:0]][15:0];
		b <= lfsr[31:16] + n;
		memory[lfsr[23:12]] <= p ^ {lfsr[7:0], lfsr[31:8]};
		sum <= sum + p;
		n = n + 1;
		if (p !== a * b) $display("wrong: %d * %d = %d", a, b, p);
		if (n == `CYCLES) begin $display("%d", sum); $finish; end
	end
endmodule
