"""The company of the golden suite: every trap that makes a number wrong is planted here. Deterministic; the same rows for SQLite, PostgreSQL and MariaDB.

A table is (name, [(column, type)], [keys], rows). Types are words of TYPES. There are no foreign key constraints: orphans are one of the traps.
"""
import datetime

ENGINES = ["sqlite", "postgres", "mariadb"]
TYPES = {  # word: as ENGINES
    "int": ("INTEGER", "integer", "integer"), "text": ("TEXT", "text", "varchar(100)"), "money": ("NUMERIC", "numeric(12,2)", "decimal(12,2)"),
    "bool": ("BOOLEAN", "boolean", "boolean"), "date": ("DATE", "date", "date"), "naive": ("TIMESTAMP", "timestamp", "datetime"),
    "instant": ("TIMESTAMPTZ", "timestamptz", "timestamp NULL"), "real": ("REAL", "double precision", "double"),
}


def day(text, plus=0):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=plus)).isoformat()


def tables():
    countries = [("DE", "Germany"), ("FR", "France"), ("US", "United States"), (None, "Nowhere")]
    # Two customers share a name, one has no country, one has a country that is in no list.
    customers = [(1, "Anna", "DE", "gold", "2023-01-05"), (2, "Bert", "FR", "silver", "2023-02-10"), (3, "Anna", "US", "gold", "2023-06-01"), (4, "Dora", None, "bronze", "2023-12-31"),
                 (5, "Emil", "XX", None, "2024-01-01"), (6, "Fritz", "DE", "silver", "2024-02-29"), (7, "Gita", "FR", "bronze", "2024-03-01"), (8, "Hans", "DE", "gold", "2024-12-30")]
    addresses = [(10, "Berlin", "DE"), (11, "Paris", "FR"), (12, "Boston", "US"), (13, None, "DE"), (14, "Lyon", "FR")]
    employees = [(1, "Root", None, 1), (2, "Mia", 1, 1), (3, "Noa", 1, 2), (4, "Ole", 2, 2), (5, "Pia", 2, None), (6, "Quin", 99, 1)]
    departments = [(1, "Sales"), (2, "Support"), (3, "Empty")]
    # Orders: null customers, a customer who is not there (77), statuses that are null, days with clock changes, leap day, ISO week 53, year ends.
    stamps = ["2023-01-31T10:00:00Z", "2023-02-28T23:30:00Z", "2023-03-26T00:30:00Z", "2023-03-26T01:30:00Z", "2023-06-15T12:00:00Z", "2023-10-29T00:30:00Z", "2023-10-29T01:30:00Z",
              "2023-12-31T22:30:00Z", "2023-12-31T23:30:00Z", "2024-01-01T00:30:00Z", "2024-02-28T12:00:00Z", "2024-02-29T12:00:00Z", "2024-03-01T00:00:00Z", "2024-03-10T06:30:00Z",
              "2024-03-10T07:30:00Z", "2024-03-31T00:59:59Z", "2024-03-31T01:00:00Z", "2024-06-30T23:59:59Z", "2024-07-01T00:00:00Z", "2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z",
              "2024-12-29T12:00:00Z", "2024-12-30T12:00:00Z", "2024-12-31T23:59:59Z"]
    statuses = ["paid", "paid", "open", None, "cancelled", "paid", "open", "paid", "cancelled", None]
    orders = []
    for i in range(1, 61):
        customer = {0: None, 7: 77}.get(i % 11, (i * 7) % 8 + 1)
        billing = 10 + (i * 3) % 5
        shipping = None if i % 9 == 0 else (99 if i % 13 == 0 else 10 + (i * 2) % 5)
        orders.append((i, customer, billing, shipping, (i * 5) % 6 + 1, None if i % 8 == 0 else (i * 3) % 6 + 1, statuses[i % 10], stamps[i % 24],
                       None if i % 6 == 0 else day("2024-01-01", i * 5), i % 3 == 0, None if i % 12 == 0 else (i * 37 % 50) - 5))
    items = []
    for i in range(1, 61):
        for line in range(1, i % 5 + 1):  # every fifth order has none
            product = {0: None, 1: 55}.get((i + line) % 17, (i * line + line) % 7 + 1)
            items.append((i, line, product, (i + line) % 4 + 1, f"{(i * 13 + line * 7) % 90 + 1}.{(i * 7) % 10}5", None if (i + line) % 10 == 0 else f"0.{(line * 5) % 4}"))
    items += [(900, 1, 1, 2, "10.00", "0.0"), (901, 1, None, 1, "5.50", None)]  # of orders that are not there
    payments = []
    n = 0
    for i in range(1, 61):
        for part in range(i % 4):
            n += 1
            payments.append((n, i if n % 15 else None, f"{(i * 11 + part * 17) % 120 - 10}.50", day("2024-01-15", i + part), ["card", "cash", None, "wire"][n % 4]))
    products = [(1, "Ball", "toys", "9.99", True), (2, "Doll", "toys", "19.99", True), (3, "Lamp", "home", "39.00", True), (4, "Desk", "home", "199.00", False),
                (5, "Pen_10%", "office", "1.50", True), (6, "Ink!", "office", "0.00", None), (7, "Mystery", None, None, True), (8, "Unsold", "toys", "5.00", False)]
    tags = [(1, "new"), (2, "sale"), (3, "green"), (4, "unused")]
    product_tags = [(1, 1), (1, 2), (2, 2), (3, 3), (3, 1), (4, 2), (5, 3), (7, 1), (55, 1)]
    tickets = [(i, (i * 5) % 9 or None, ["low", "high", None][i % 3], f"2024-0{i % 6 + 1}-1{i % 10} 0{i % 10}:15:00", None if i % 4 == 0 else f"2024-0{i % 6 + 2}-0{i % 9 + 1} 12:00:00") for i in range(1, 31)]
    # Balances: accounts with gaps, one that ends early, one that never has the last day of a month.
    balances = []
    for account, step, owner in ((1, 1, 1), (2, 7, 2), (3, 10, 6)):
        for d in range(0, 91 if account != 2 else 60, step):
            balances.append((account, day("2024-01-01", d), f"{account * 100 + d * (3 if account == 1 else -1)}.25", owner))
    visits = [(i, (i * 3) % 7 + 1, f"2024-0{i % 3 + 1}-{(i * 5) % 27 + 1:02}T{i % 24:02}:00:00Z", ["ad", "mail", None][i % 3]) for i in range(1, 41)]
    purchases = [(i, (i * 5) % 8 + 1, f"2024-0{i % 3 + 1}-{(i * 5) % 27 + 2:02}T{(i * 2) % 24:02}:30:00Z", f"{i * 3}.00") for i in range(1, 26)]
    # Local times without a zone, written in Berlin.
    shifts = [(1, 1, "2024-03-31 01:30:00", 8), (2, 1, "2024-03-31 03:30:00", 4), (3, 2, "2024-10-27 02:30:00", 5), (4, 2, "2024-10-26 23:30:00", 6), (5, 3, "2024-12-31 23:30:00", 7), (6, None, "2025-01-01 00:30:00", 3)]
    odd = [(1, "a", 5), (2, "A", 7), (3, None, 11), (4, "select", 13)]
    return [
        ("country", [("code", "text"), ("name", "text")], [], countries),
        ("customer", [("id", "int"), ("name", "text"), ("country", "text"), ("tier", "text"), ("joined_on", "date")], ["id"], customers),
        ("address", [("id", "int"), ("city", "text"), ("country", "text")], ["id"], addresses),
        ("department", [("id", "int"), ("name", "text")], ["id"], departments),
        ("employee", [("id", "int"), ("name", "text"), ("manager_id", "int"), ("department_id", "int")], ["id"], employees),
        ("orders", [("id", "int"), ("customer_id", "int"), ("billing_id", "int"), ("shipping_id", "int"), ("created_by", "int"), ("approved_by", "int"), ("status", "text"), ("placed_at", "instant"),
                    ("due_on", "date"), ("is_gift", "bool"), ("score", "int")], ["id"], orders),
        ("order_item", [("order_id", "int"), ("line", "int"), ("product_id", "int"), ("quantity", "int"), ("price", "money"), ("discount", "money")], ["order_id", "line"], items),
        ("payment", [("id", "int"), ("order_id", "int"), ("amount", "money"), ("paid_on", "date"), ("method", "text")], ["id"], payments),
        ("product", [("id", "int"), ("name", "text"), ("category", "text"), ("list_price", "money"), ("is_active", "bool")], ["id"], products),
        ("tag", [("id", "int"), ("name", "text")], ["id"], tags),
        ("product_tag", [("product_id", "int"), ("tag_id", "int")], ["product_id", "tag_id"], product_tags),
        ("ticket", [("id", "int"), ("customer_id", "int"), ("priority", "text"), ("opened_at", "naive"), ("closed_at", "naive")], ["id"], tickets),
        ("balance", [("account_id", "int"), ("day", "date"), ("amount", "money"), ("customer_id", "int")], ["account_id", "day"], balances),
        ("visit", [("id", "int"), ("customer_id", "int"), ("at", "instant"), ("channel", "text")], ["id"], visits),
        ("purchase", [("id", "int"), ("customer_id", "int"), ("at", "instant"), ("amount", "money")], ["id"], purchases),
        ("shift", [("id", "int"), ("employee_id", "int"), ("started_at", "naive"), ("hours", "int")], ["id"], shifts),
        ("Odd Table", [("Id", "int"), ("Mixed Case", "text"), ("select", "int")], ["Id"], odd),
    ]


def quote(name):
    return '"' + name.replace('"', '""') + '"'


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return None  # by engine
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def script(engine, tables=tables):
    """A whole database as SQL for one of ENGINES; MariaDB's session quotes names as the others do and is in UTC."""
    at = ENGINES.index(engine)
    out = ["BEGIN;"]
    for name, columns, keys, rows in tables():
        parts = [f"{quote(c)} {TYPES[t][at]}" for c, t in columns]
        if keys:
            parts.append(f"PRIMARY KEY ({', '.join(map(quote, keys))})")
        out.append(f"CREATE TABLE {quote(name)} ({', '.join(parts)});")
        for row in rows:
            values = []
            for (column, kind), value in zip(columns, row):
                text = literal(value)
                if text is None:
                    text = ("1" if value else "0") if engine == "sqlite" else ("true" if value else "false")
                elif kind == "instant" and engine == "mariadb" and value is not None:
                    text = text.replace("T", " ").replace("Z", "")
                elif kind in ("money", "real") and value is not None and engine == "sqlite":
                    text = str(value)
                values.append(text)
            out.append(f"INSERT INTO {quote(name)} VALUES ({', '.join(values)});")
    return "\n".join(out + ["COMMIT;"]) + "\n"


if __name__ == "__main__":
    import sys
    sys.stdout.write(script(sys.argv[1]))
