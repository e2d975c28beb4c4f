WITH RECURSIVE t(i, n) AS (SELECT id, name FROM a UNION ALL SELECT a.id, n FROM a JOIN t ON a.b_id = t.i) SELECT * FROM t;
SELECT 1 FROM a, LATERAL (SELECT * FROM b WHERE b.id = a.b_id) AS l WHERE EXISTS (SELECT * FROM b WHERE b.x = a.x) OR a.id IN (SELECT y FROM b);
SELECT j.* FROM (a JOIN b ON a.b_id = b.id) AS j(p, q), generate_series(1, 3) AS g;
