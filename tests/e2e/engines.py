"""A database on each engine, made from a script of SQL for one test; mixed into its case. What engine is not at hand is skipped."""
import ctypes, os, re, sqlite3, subprocess


class Sqlite:
    engine, schema = "sqlite", "main"

    def make_database(self, name, script):
        """Makes the database and returns it as a source; `schema` then says where its tables are."""
        path = self.folder / f"{name}.db"
        with sqlite3.connect(path) as database:
            database.executescript(script)
        return path


class Postgres:
    engine, schema = "postgres", "public"

    def make_database(self, name, script):
        uri = os.environ.get("SCHEMAWARD_TEST_PG15")
        if not uri:
            self.skipTest("SCHEMAWARD_TEST_PG15 names no server")
        name = f"ward_{name}_{os.getpid()}"
        self.psql(uri, f"CREATE DATABASE {name}")
        self.addCleanup(self.psql, uri, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        own = uri.rsplit("/", 1)[0] + "/" + name
        self.psql(own, script)
        return own + "?sslmode=disable"

    def psql(self, uri, sql):
        subprocess.run(["psql", "-XAqt", "-v", "ON_ERROR_STOP=1", uri], input=sql, check=True, stdout=subprocess.DEVNULL, text=True, timeout=60)


class MariaDb:
    engine, schema = "mysql", ""

    def make_database(self, name, script):
        uri = os.environ.get("SCHEMAWARD_TEST_MARIADB")
        if not uri:
            self.skipTest("SCHEMAWARD_TEST_MARIADB names no server")
        self.user, self.host, self.port = re.search(r"//([^@]+)@([^:/]+):(\d+)", uri).groups()
        self.schema = f"ward_{name}_{os.getpid()}"
        self.addCleanup(self.run_sql, f"DROP DATABASE IF EXISTS {self.schema}")
        self.run_sql(f"CREATE DATABASE {self.schema}; USE {self.schema}; {script}")
        return f"mysql://{self.user}@{self.host}:{self.port}/{self.schema}?ssl-mode=DISABLED"

    def run_sql(self, sql):
        command = ["mariadb", "--no-defaults", "--protocol=tcp", "-h", self.host, "-P", self.port, "-u", self.user]
        subprocess.run(command, input=sql, check=True, stdout=subprocess.DEVNULL, text=True, timeout=60)


class DuckDb:
    engine, schema = "duckdb", "main"

    def make_database(self, name, script):
        library = os.environ.get("SCHEMAWARD_DUCKDB")
        if not library:
            self.skipTest("SCHEMAWARD_DUCKDB names no library")
        self.environment["SCHEMAWARD_DUCKDB"] = library
        duck, database, session = ctypes.CDLL(library), ctypes.c_void_p(), ctypes.c_void_p()
        path = self.folder / f"{name}.duckdb"
        self.assertEqual(duck.duckdb_open(str(path).encode(), ctypes.byref(database)), 0)
        self.assertEqual(duck.duckdb_connect(database, ctypes.byref(session)), 0)
        self.assertEqual(duck.duckdb_query(session, script.encode(), None), 0)
        duck.duckdb_disconnect(ctypes.byref(session))
        duck.duckdb_close(ctypes.byref(database))
        return f"duckdb:{path}"
