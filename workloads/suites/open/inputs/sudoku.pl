% Cryptarithms, zebra, sudoku and queens through constraint logic, and plain Prolog: naive reverse, a metainterpreter.
:- use_module(library(clpfd)).

sudoku(Rows) :-
	length(Rows, 9), maplist(same_length(Rows), Rows), append(Rows, Vs), Vs ins 1..9, maplist(all_distinct, Rows),
	transpose(Rows, Columns), maplist(all_distinct, Columns),
	Rows = [A, B, C, D, E, F, G, H, I], blocks(A, B, C), blocks(D, E, F), blocks(G, H, I).
blocks([], [], []).
blocks([A, B, C|T1], [D, E, F|T2], [G, H, I|T3]) :- all_distinct([A, B, C, D, E, F, G, H, I]), blocks(T1, T2, T3).

problem(1, [[8,_,_,_,_,_,_,_,_],[_,_,3,6,_,_,_,_,_],[_,7,_,_,9,_,2,_,_],[_,5,_,_,_,7,_,_,_],[_,_,_,_,4,5,7,_,_],
	[_,_,_,1,_,_,_,3,_],[_,_,1,_,_,_,_,6,8],[_,_,8,5,_,_,_,1,_],[_,9,_,_,_,_,4,_,_]]).
problem(2, [[_,_,_,_,_,_,_,_,_],[_,_,_,_,_,3,_,8,5],[_,_,1,_,2,_,_,_,_],[_,_,_,5,_,7,_,_,_],[_,_,4,_,_,_,1,_,_],
	[_,9,_,_,_,_,_,_,_],[5,_,_,_,_,_,_,7,3],[_,_,2,_,1,_,_,_,_],[_,_,_,_,4,_,_,_,9]]).

queens(N, Qs) :- numlist(1, N, L), permuted(L, Qs), !.
permuted(L, Qs) :- place(L, [], Qs).
place([], Qs, Qs).
place(Left, Done, Qs) :- select(Q, Left, Rest), safe(Q, 1, Done), place(Rest, [Q|Done], Qs).
safe(_, _, []).
safe(Q, D, [P|Ps]) :- Q =\= P + D, Q =\= P - D, D1 is D + 1, safe(Q, D1, Ps).

reversed([], []).
reversed([H|T], R) :- reversed(T, S), append(S, [H], R).

solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve(H) :- predicate_property(H, built_in), !, call(H).
solve(H) :- clause(H, B), solve(B).
:- dynamic hanoi/4, fib/2.
hanoi(0, _, _, _) :- true.
hanoi(N, A, B, C) :- N > 0, M is N - 1, hanoi(M, A, C, B), hanoi(M, C, B, A).
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, X), fib(B, Y), F is X + Y.

round :-
	forall(between(1, 400, _), (numlist(1, 400, L), reversed(L, _))),
	queens(20, Qs), print(Qs), nl,
	solve(hanoi(14, a, b, c)), solve(fib(19, F)), print(F), nl,
	problem(1, Rows), sudoku(Rows), maplist(labeling([ff]), Rows), print(Rows), nl.
:- initialization((round, halt)).
