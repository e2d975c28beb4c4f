-- A shop's tables, as an analyst meets them; plain SQL that PostgreSQL, MySQL, SQLite and DuckDB all take.
CREATE TABLE region (region_id integer PRIMARY KEY, name varchar(40));
CREATE TABLE nation (nation_id integer PRIMARY KEY, name varchar(40), region_id integer REFERENCES region (region_id));
CREATE TABLE supplier (supplier_id integer PRIMARY KEY, label varchar(40), nation_id integer REFERENCES nation (nation_id), balance decimal(15, 2));
CREATE TABLE part (part_id integer PRIMARY KEY, label varchar(60), brand varchar(20), kind varchar(40), size integer, container varchar(20), retail_price decimal(15, 2));
CREATE TABLE part_supplier (part_id integer, supplier_id integer, available integer, supply_cost decimal(15, 2), PRIMARY KEY (part_id, supplier_id));
CREATE TABLE client (client_id integer PRIMARY KEY, nation_id integer REFERENCES nation (nation_id), segment varchar(20), balance decimal(15, 2), email varchar(120), joined_on date);
CREATE TABLE sale (sale_id integer PRIMARY KEY, client_id integer REFERENCES client (client_id), status varchar(1), total decimal(15, 2), sold_on date, priority varchar(20), attributes text);
CREATE TABLE line (sale_id integer, line_number integer, part_id integer, supplier_id integer, quantity decimal(15, 2), price decimal(15, 2), discount decimal(15, 2), tax decimal(15, 2),
  return_flag varchar(1), status varchar(1), shipped_on date, committed_on date, received_on date, ship_mode varchar(20), PRIMARY KEY (sale_id, line_number));
CREATE TABLE event (event_id integer PRIMARY KEY, client_id integer, kind varchar(20), happened_at timestamp, value decimal(12, 4));
CREATE TABLE employee (employee_id integer PRIMARY KEY, manager_id integer, title varchar(40), salary decimal(12, 2), department varchar(40), hired_on date);
