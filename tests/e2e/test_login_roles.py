"""Logins whose rights come by a role, and logins with settings of their own: each answer is the one that a plain login with rights of its own
gets, also on a session that was used before."""
import json, os, re, unittest

import engines
from ward import Case

TABLES = """CREATE TABLE item (id integer PRIMARY KEY, label varchar(40) NOT NULL); CREATE TABLE sale (id integer PRIMARY KEY, item_id integer, amount decimal(10, 2), secret integer, FOREIGN KEY (item_id) REFERENCES item (id));
INSERT INTO item VALUES (1, 'pen'), (2, 'ink'); INSERT INTO sale VALUES (1, 1, 2.50, 7), (2, 2, 4.00, 8);
CREATE VIEW sold AS SELECT s.id, i.label, s.amount FROM sale s JOIN item i ON i.id = s.item_id; CREATE TABLE closed (id integer);"""
QUERIES = ("SELECT label, amount FROM sold ORDER BY amount", "SELECT id, item_id, amount FROM sale ORDER BY id", "SELECT count(*) AS n FROM item")


class LoginRoles:
    """`logins`: sources of logins with the same rights, the first by its own grants and without a setting."""
    meanings = ()  # more queries whose answers nothing of a login may change

    def answers(self, source, name):
        """All that is told to a caller of a source, without what differs from one run to the next."""
        self.store = self.folder / f"{name}.db"
        self.ward("index", source, "--name", "roles", "--no-suggest")
        folder = self.folder / f"definitions_{name}"
        for path, text in {"entities/sale.yaml": f"name: sale\ntable: {self.schema}.sold\nidentity: id\n", "metrics/sales.yaml": "name: sales\nentity: sale\naggregation: sum\ncolumn: amount\n"}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        self.ward("apply", folder)
        server = self.serve()
        told = {"tables": server.call("list_indexed_schemas")["data"]}
        for table in ("item", "sale", "sold", "closed"):
            told[table] = server.call("describe_table", qualified_name=f"{self.schema}.{table}")
        for turn in range(3):
            for sql in (*QUERIES, *self.meanings):
                told[sql, turn] = server.call("execute_query", sql=sql)
            told["metric", turn] = server.call("get_metric", name="sales")
            told["values", turn] = server.call("describe_column", qualified_name=f"{self.schema}.sold.label", values=True)
            told["no right", turn] = server.call("execute_query", sql="SELECT secret FROM sale")
        return {key: self.steady(answer) for key, answer in told.items()}

    def steady(self, answer):
        if isinstance(answer, dict):
            return {k: self.steady(v) for k, v in answer.items() if not re.search("_at$|_ms$|request_id|generation|fingerprint|age|^now$", k)}
        return [self.steady(one) for one in answer] if isinstance(answer, list) else answer

    def test_every_login_with_these_rights_gets_the_same_answers(self):
        own, *by_role = self.logins()
        wanted = self.answers(own, "own")
        for sql in (*QUERIES, *self.meanings):
            self.assertIn(wanted[sql, 2]["status"], ("success", "empty"), wanted[sql, 2])
        self.assertEqual(wanted["metric", 2]["status"], "success", wanted["metric", 2])
        for i, source in enumerate(by_role):
            told = self.answers(source, f"role{i}")
            for key in wanted:
                with self.subTest(login=i, key=key):
                    self.assertEqual(told[key], wanted[key])


class MariaDb(LoginRoles, engines.MariaDb, Case):
    def logins(self):
        source = self.make_database("roles", TABLES)
        names = [f"ward_login{i}_{os.getpid()}" for i in range(4)]
        reader, outer = f"ward_reader_{os.getpid()}", f"ward_outer_{os.getpid()}"
        self.addCleanup(self.run_sql, f"DROP ROLE IF EXISTS {outer}; DROP ROLE IF EXISTS {reader}; " + "".join(f"DROP USER IF EXISTS {name}; " for name in names))
        grants = lambda to: f"GRANT SELECT, SHOW VIEW ON {self.schema}.item TO {to}; GRANT SELECT, SHOW VIEW ON {self.schema}.sold TO {to}; GRANT SELECT (id, item_id, amount) ON {self.schema}.sale TO {to}; "
        self.run_sql("".join(f"CREATE USER {name}; " for name in names) + grants(names[0]) + f"CREATE ROLE {reader}; {grants(reader)} CREATE ROLE {outer}; GRANT {reader} TO {outer}; "
                     f"GRANT {reader} TO {names[1]}; SET DEFAULT ROLE {reader} FOR {names[1]}; GRANT {outer} TO {names[2]}; SET DEFAULT ROLE {outer} FOR {names[2]}; "
                     f"GRANT SELECT, SHOW VIEW ON {self.schema}.item TO {names[3]}; GRANT {reader} TO {names[3]}; SET DEFAULT ROLE {reader} FOR {names[3]};")
        return [source.replace(f"//{self.user}@", f"//{name}@") for name in names]


class Postgres(LoginRoles, engines.Postgres, Case):
    meanings = ("SELECT lower(label) AS l FROM public.item WHERE label = 'pen'", "SELECT id FROM public.item WHERE label = 'nope'", "SELECT count(*) AS n FROM public.item WHERE CAST(NULL AS integer) = NULL", r"SELECT 'a\nb' AS text, CAST('03-02-01' AS date) AS day, CAST('{NULL}' AS text[]) AS list",
                "SELECT CAST(1 AS double precision) / 3 AS third, interval '1 day 2 hours' AS span, CAST('2024-02-29 12:00:00+00' AS timestamptz) AS moment, CAST('a' AS bytea) AS bytes", "SELECT id FROM public.guarded ORDER BY id")
    # What stands in the login's own search path under the names of the engine.
    evil = """CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO PUBLIC; CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql AS $$SELECT 'evil'$$; CREATE FUNCTION evil.eq(text, text) RETURNS boolean LANGUAGE sql AS $$SELECT true$$;
        CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.eq); CREATE TABLE evil.item (id integer);"""
    settings = ("search_path = evil, pg_catalog, public", "statement_timeout = '2s'", "lock_timeout = '1s'", "default_transaction_read_only = off", "default_transaction_isolation = serializable", "standard_conforming_strings = off", "backslash_quote = on", "datestyle = 'SQL, DMY'",
                "intervalstyle = sql_standard", "timezone = 'Asia/Tokyo'", "bytea_output = escape", "extra_float_digits = -10", "transform_null_equals = on", "array_nulls = off", "row_security = off", "gin_fuzzy_search_limit = 1", "quote_all_identifiers = on",
                "client_min_messages = debug1", "client_encoding = LATIN1", "enable_seqscan = off")

    def logins(self):
        source = self.make_database("roles", TABLES.replace("CREATE VIEW sold", "CREATE TABLE guarded (id integer); INSERT INTO guarded VALUES (1), (2); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY first ON guarded USING (id = 1); CREATE VIEW sold") + self.evil)
        uri = source.split("?")[0]
        own, inherits, set_up, reader = (f"ward_{name}_{os.getpid()}" for name in ("own", "inherits", "set_up", "reader"))
        self.addCleanup(self.psql, uri, f"DROP OWNED BY {own}, {inherits}, {set_up}, {reader}; DROP ROLE {own}, {inherits}, {set_up}, {reader};")
        grants = lambda to: f"GRANT SELECT ON item, sold, guarded TO {to}; GRANT SELECT (id, item_id, amount) ON sale TO {to}; "
        logins = "".join(f"CREATE ROLE {name} LOGIN PASSWORD 'x'; " for name in (own, inherits, set_up))
        self.psql(uri, f"{logins} CREATE ROLE {reader}; {grants(own)} {grants(reader)} {grants(set_up)} GRANT {reader} TO {inherits}; " + "".join(f"ALTER ROLE {set_up} SET {one}; " for one in self.settings))
        self.environment["PGPASSWORD"] = "x"
        return [re.sub("//[^@]+@", f"//{name}@", source) for name in (own, inherits, set_up)]


if __name__ == "__main__":
    unittest.main()
