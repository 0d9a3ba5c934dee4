-- A shop: loading, indices, joins, windows, recursion, updates, full scans and text search by LIKE.
PRAGMA cache_size = -8000;
PRAGMA temp_store = MEMORY;
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price INTEGER, kind INTEGER);
CREATE TABLE buyer(id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE sale(id INTEGER PRIMARY KEY, buyer INTEGER, item INTEGER, day INTEGER, n INTEGER, note TEXT);
WITH RECURSIVE r(k, s) AS (SELECT 1, 12345 UNION ALL SELECT k + 1, (s * 1103515245 + 12345) % 2147483648 FROM r WHERE k < 20000)
	INSERT INTO item SELECT k, printf('%s-%x', substr('abcdefghijklmnop', 1 + s / 65536 % 9, 4), s), s / 4096 % 5000, s / 8192 % 40 FROM r;
WITH RECURSIVE r(k, s) AS (SELECT 1, 777 UNION ALL SELECT k + 1, (s * 1103515245 + 12345) % 2147483648 FROM r WHERE k < 50000)
	INSERT INTO buyer SELECT k, printf('%c%c%d', 97 + s / 65536 % 26, 97 + s / 2097152 % 26, s), printf('town%d', s / 4096 % 300) FROM r;
WITH RECURSIVE r(k, s) AS (SELECT 1, 4711 UNION ALL SELECT k + 1, (s * 1103515245 + 12345) % 2147483648 FROM r WHERE k < 700000)
	INSERT INTO sale SELECT k, 1 + s / 512 % 50000, 1 + s / 32768 % 20000, k / 900, 1 + s / 65536 % 7, hex(s) FROM r;
SELECT count(*), sum(n) FROM sale;
CREATE INDEX sale_buyer ON sale(buyer, day);
CREATE INDEX sale_item ON sale(item);
ANALYZE;
SELECT b.town, count(*), sum(s.n * i.price) AS turnover FROM sale s JOIN buyer b ON b.id = s.buyer JOIN item i ON i.id = s.item
	GROUP BY b.town ORDER BY turnover DESC LIMIT 10;
SELECT i.kind, avg(i.price * s.n), count(DISTINCT s.buyer) FROM item i JOIN sale s ON s.item = i.id GROUP BY i.kind ORDER BY 2;
SELECT max(x), min(x) FROM (SELECT sum(n) OVER (PARTITION BY buyer ORDER BY day, id ROWS 5 PRECEDING) AS x FROM sale);
SELECT count(*) FROM sale WHERE note LIKE '%4A%F%' OR note LIKE '7%11';
UPDATE sale SET n = n + 1 WHERE item IN (SELECT id FROM item WHERE kind = 7 OR name LIKE 'b%9');
DELETE FROM sale WHERE buyer % 17 = 3 AND day BETWEEN 100 AND 500;
CREATE TABLE best AS SELECT buyer, item, sum(n) AS n FROM sale GROUP BY buyer, item HAVING sum(n) > 3;
SELECT count(*) FROM best a WHERE EXISTS (SELECT 1 FROM best b WHERE b.item = a.item AND b.n > a.n);
SELECT town, group_concat(substr(name, 1, 2), '') FROM buyer GROUP BY town ORDER BY length(group_concat(name)) DESC LIMIT 3;
WITH RECURSIVE
	xaxis(x) AS (VALUES(-2.0) UNION ALL SELECT x + 0.02 FROM xaxis WHERE x < 1.2),
	yaxis(y) AS (VALUES(-1.0) UNION ALL SELECT y + 0.05 FROM yaxis WHERE y < 1.0),
	m(iter, cx, cy, x, y) AS (SELECT 0, x, y, 0.0, 0.0 FROM xaxis, yaxis
		UNION ALL SELECT iter + 1, cx, cy, x * x - y * y + cx, 2.0 * x * y + cy FROM m WHERE x * x + y * y < 4.0 AND iter < 40)
	SELECT sum(iter) FROM m;
CREATE TABLE words(w TEXT COLLATE NOCASE, n INTEGER);
INSERT INTO words SELECT substr(note, 1, 4), count(*) FROM sale GROUP BY 1;
SELECT count(*), sum(a.n) FROM words a JOIN words b ON a.w = substr(b.w, 2, 1) || substr(b.w, 1, 1) || substr(b.w, 3);
SELECT day, n, rank() OVER (ORDER BY n DESC, day) FROM (SELECT day, sum(n) AS n FROM sale GROUP BY day) LIMIT 5;
VACUUM;
PRAGMA integrity_check;
