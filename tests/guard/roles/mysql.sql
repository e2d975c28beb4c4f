-- A user for Schemaward that may read one database and nothing else. MariaDB 10.6 and MySQL 8; replace shop by the database's name and
-- SECRET by a password, and run it as an administrator.
CREATE USER 'schemaward_reader'@'%' IDENTIFIED BY 'SECRET' WITH MAX_USER_CONNECTIONS 10;
-- SELECT is enough: no FILE (server files), no PROCESS (what others run), no SUPER. SHOW VIEW lets views be followed to the columns that they
-- are made of; a view whose text cannot be read is not answered from.
GRANT SELECT, SHOW VIEW ON `shop`.* TO 'schemaward_reader'@'%';
