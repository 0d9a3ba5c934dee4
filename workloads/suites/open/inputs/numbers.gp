\\ Number theory: factoring, class groups, elliptic curves, matrices over the integers, lattices, polynomials, series.
setrand(1);
print(vecsum(vector(150, k, bigomega(10^42 + 1000 * k + 7))));
print(sum(k = 1, 2000, ellap(ellinit([0, 0, 1, -7, k]), nextprime(10^9 + 1000 * k))));
print(vecsum([quadclassunit(-4 * nextprime(10^17 + 10^6 * k)).no | k <- [1 .. 60]]));
m = matrix(220, 220, i, j, (i * j * j + 3 * i + 7 * j) % 1009 - 500 + (i == j) * (i % 7));
print(matdet(m) % 1000003);
print(#qflll(matrix(80, 80, i, j, if(i == j, 1, if(i == 80, (j^5 * 7919) % 10^30)))));
print(bnfinit(x^5 - 3 * x^3 + 11 * x - 57).no);
print(sum(n = 90, 260, #factor(x^n - 1)~));
print(sum(k = 1, 40, zeta(1/2 + 60 * k * I)));
print(znlog(Mod(12345, nextprime(10^17)), znprimroot(nextprime(10^17))));
print(sum(n = 1, 900000, eulerphi(n) * moebius(n)));
print(#thue(thueinit(x^3 - 2 * x^2 - 7), 1));
print(ellanalyticrank(ellinit([0, 0, 1, -79, 342])));
