"""DuckDB for the golden suite: its words for periods, and the file's owner and oracle, by its library and ctypes."""
import ctypes, pathlib, re, subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PERIOD = lambda word: lambda x: f"strftime(date_trunc('{word}', CAST({x} AS timestamp)), '%Y-%m-%d')"
# What they take: an instant, a time without a zone, a date or a text, as its time in UTC.
WORDS = {
    "day": PERIOD("day"), "week": PERIOD("week"), "month": PERIOD("month"), "quarter": PERIOD("quarter"), "year": PERIOD("year"),
    "days": lambda x, n: f"strftime(CAST({x} AS timestamp) + ({n}) * interval '1 day', '%Y-%m-%d')", "hours": lambda x, n: f"(CAST({x} AS timestamp) + ({n}) * interval '1 hour')",
    "ts": lambda x: f"CAST(({x}) || 'T00:00:00Z' AS timestamptz)", "yearback": lambda x: f"strftime(CAST({x} AS date) - interval '1 year', '%Y-%m-%d')",
    "monthback": lambda x: f"strftime(CAST({x} AS date) - interval '1 month', '%Y-%m-%d')",
    "days_between": lambda a, b: f"(epoch(CAST({b} AS timestamp) - CAST({a} AS timestamp)) / 86400.0)",
}


class Result(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in "abcdef"]


class File:
    """A database file that may be written. Each call opens it, since it is locked while it is open."""

    def __init__(self, path, library=None):
        self.path = path
        self.library = library or subprocess.run([str(ROOT / "scripts/duckdb.sh")], check=True, capture_output=True, text=True).stdout.strip()
        self.api = ctypes.CDLL(self.library)
        self.api.duckdb_value_varchar.restype = ctypes.c_void_p
        self.api.duckdb_value_varchar.argtypes = [ctypes.POINTER(Result), ctypes.c_uint64, ctypes.c_uint64]
        self.api.duckdb_free.argtypes = [ctypes.c_void_p]
        for name in ("duckdb_row_count", "duckdb_column_count"):
            getattr(self.api, name).restype = ctypes.c_uint64
        self.api.duckdb_result_error.restype = ctypes.c_char_p

    def ask(self, *statements, mode="READ_ONLY"):
        """The rows of the last statement, as texts. ValueError where the engine refuses one. To write: mode READ_WRITE."""
        api, database, session, error, config = self.api, ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p(), ctypes.c_void_p()
        api.duckdb_create_config(ctypes.byref(config))
        api.duckdb_set_config(config, b"access_mode", mode.encode())
        opened = api.duckdb_open_ext(str(self.path).encode(), ctypes.byref(database), config, ctypes.byref(error))
        api.duckdb_destroy_config(ctypes.byref(config))
        if opened != 0:
            raise ValueError(error.value.decode())
        api.duckdb_connect(database, ctypes.byref(session))
        try:
            for statement in statements:
                rows = self._run(session, statement)
            return rows
        finally:
            api.duckdb_disconnect(ctypes.byref(session))
            api.duckdb_close(ctypes.byref(database))

    def _run(self, session, sql):
        api, result = self.api, Result()
        failed = api.duckdb_query(session, sql.encode(), ctypes.byref(result))
        try:
            if failed:
                raise ValueError(f"{api.duckdb_result_error(ctypes.byref(result)).decode()} in {sql}")
            columns = range(api.duckdb_column_count(ctypes.byref(result)))
            return [[self._text(result, column, row) for column in columns] for row in range(api.duckdb_row_count(ctypes.byref(result)))]
        finally:
            api.duckdb_destroy_result(ctypes.byref(result))

    def _text(self, result, column, row):
        pointer = self.api.duckdb_value_varchar(ctypes.byref(result), column, row)
        if not pointer:
            return None
        text = ctypes.string_at(pointer).decode()
        self.api.duckdb_free(pointer)
        return text


class DuckDb:
    name = "duckdb"
    # `/` of whole numbers is a whole number in the oracles.
    PIN = ("SET TimeZone = 'UTC'", "SET integer_division = true")

    def __init__(self, folder, script):
        self.source = f"{folder}/golden.duckdb"
        self.file = File(self.source)
        self.library = self.file.library
        self.file.ask(*self.PIN, script, mode="READ_WRITE")

    def rows(self, sql, width):
        sql = re.sub(r"(?<![.\w])at\b(?! time zone)", '"at"', sql)  # a reserved word there
        columns = ", ".join(f"c{i}" for i in range(width))
        texts = ", ".join(f"CAST(c{i} AS VARCHAR)" for i in range(width))
        words = {"true": True, "false": False}
        return [[words.get(value, value) for value in row] for row in self.file.ask(*self.PIN, f"SELECT {texts} FROM ({sql}) AS q ({columns})")]

    def close(self):
        pass
