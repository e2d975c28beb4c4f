\restrict abc
\connect x
SET standard_conforming_strings = off;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE a (b text DEFAULT 'it\'s; ');
COPY a FROM stdin;
x;y
\.
\copy a from stdin
(
\.
CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;
/* a /* b */ ; */ CREATE TABLE "c""d" (e int) -- ;
\g
DO $x$ BEGIN; $y$ ; $x$;
\i other.sql
CREATE RULE r AS ON INSERT TO a DO (SELECT 1; SELECT 2);