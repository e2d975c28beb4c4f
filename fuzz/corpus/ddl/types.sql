CREATE TYPE e AS ENUM ('a', 'b'); ALTER TYPE e ADD VALUE 'c' BEFORE 'b'; ALTER TYPE e RENAME VALUE 'a' TO 'z'; ALTER TYPE e RENAME TO f;
CREATE DOMAIN d AS f CHECK (VALUE IN ('z')) NOT NULL; CREATE DOMAIN dd AS d; CREATE TYPE c AS (x int, y d); CREATE TABLE t OF c;
CREATE TYPE r AS RANGE (subtype = int4); CREATE TABLE u (a d, b dd[], c r, e x.unseen(1,'q'), f interval day to second(2));
DROP TYPE f CASCADE; ALTER DOMAIN d DROP NOT NULL;
