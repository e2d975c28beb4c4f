SELECT a.x FROM a JOIN b ON a.b_id = b.id AND a.x = b.x WHERE a.name = 'Alice';
SELECT * FROM a NATURAL JOIN b JOIN s."A" AS c USING (x);
SELECT count(*) FROM a, b WHERE (a.b_id, a.x) = (b.id, b.y) GROUP BY 1 ORDER BY max(a.x);
