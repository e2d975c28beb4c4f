-- A role for Schemaward that may read one schema and nothing else. PostgreSQL 12 and later; run it as the owner of the database:
--   psql -v reader=schemaward_reader -v password=SECRET -v schema=public -f postgres.sql DATABASE
-- Repeat the three grants for each further schema. To leave columns out, grant SELECT (column, ...) ON TABLE in place of the table: what may
-- not be read is listed as missing, and the rest is indexed.
CREATE ROLE :"reader" LOGIN PASSWORD :'password'
  NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 10;
-- What the role does outside this program is held as well; this program sets both for itself.
ALTER ROLE :"reader" SET default_transaction_read_only = on;
ALTER ROLE :"reader" SET statement_timeout = '60s';

-- Before version 15 everybody may make tables in public, and in every version temporary ones; these two take that from all roles.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SELECT current_database() AS database \gset
REVOKE TEMPORARY ON DATABASE :"database" FROM PUBLIC;

GRANT CONNECT ON DATABASE :"database" TO :"reader";
GRANT USAGE ON SCHEMA :"schema" TO :"reader";
GRANT SELECT ON ALL TABLES IN SCHEMA :"schema" TO :"reader";
-- Tables that the present role makes from now on.
ALTER DEFAULT PRIVILEGES IN SCHEMA :"schema" GRANT SELECT ON TABLES TO :"reader";
