"""The bank of the golden suite: composite keys with null parts, a weighted bridge, a self-join, dates in several roles, versions of a dimension, balances with ties. Deterministic.

As data.py: (name, [(column, type)], [keys], rows), no foreign key constraints.
"""
import datetime


def tables():
    branches = [("north", 1, "Kiel"), ("north", 2, "Husum"), ("south", 1, "Ulm"), ("south", 2, None), ("west", 1, "Kleve"), ("south", 3, "Ulm")]
    # A version of a branch for each time it changed its tier; accounts refer to the one that was valid when they were opened.
    versions = [(101, "north", 1, "A", "2019-01-01", "2023-07-01"), (102, "north", 1, "B", "2023-07-01", None), (103, "north", 2, "B", "2019-01-01", None),
                (104, "south", 1, "A", "2019-01-01", None), (105, "south", 2, "C", "2019-01-01", "2024-01-01"), (106, "south", 2, "A", "2024-01-01", None)]
    # Parts of the key that are null, a branch that is not there, a version that is not there, parents that are null or gone, the leap day.
    accounts = [(1, "north", 1, 101, None, "giro", "500.00", "2023-03-01", None), (2, "north", 1, 102, 1, "card", "1000.00", "2023-08-15", "2024-02-29"), (3, "north", 2, 103, 1, "card", None, "2023-08-15", None),
                (4, "south", 1, 104, None, "giro", "250.50", "2024-02-29", None), (5, "south", 2, 105, 4, "depot", "0.00", "2023-12-31", "2024-01-01"), (6, "south", 2, 106, 4, "giro", "100.00", "2024-01-01", None),
                (7, None, 1, None, None, "giro", "75.00", None, None), (8, "south", None, 106, 77, "card", "300.00", "2030-01-01", None), (9, "north", 9, 999, 6, None, "20.00", "2024-03-31", "2030-01-01"),
                (10, "west", 1, None, 10, "giro", "10.00", "2023-03-01", "2024-04-01"), (11, "south", 3, 104, 2, "card", "40.00", "2024-02-28", None)]
    holders = [(1, "private", "2000-02-29"), (2, "private", "1999-12-31"), (3, "business", "1980-01-01"), (4, None, None), (5, "business", "2004-02-29"), (6, "private", "1970-06-15")]
    holdings = [(1, 1, "0.50"), (1, 2, "0.50"), (2, 1, "1.00"), (3, 3, "0.75"), (3, 4, "0.15"), (4, 2, "0.25"), (4, 3, "0.25"), (4, 5, "0.50"), (5, 4, None), (6, 5, "1.00"), (7, 99, "1.00"), (8, 6, "0.40"), (8, 1, "0.60"),
                (99, 3, "1.00"), (10, 2, "1.00")]
    households = [(1, "Hill"), (2, "Shore"), (3, "Hill"), (4, None), (5, "Shore")]
    members = [(1, 1), (3, 1), (1, 2), (2, 2), (2, 3), (4, 4), (2, 77), (88, 5)]
    days = [datetime.date(2023, 3, 1) + datetime.timedelta(days=n) for n in range(398)]  # to 2024-04-01; the fiscal year begins with July
    calendar = [(d.isoformat(), d.year + (d.month >= 7), f"P{(d.month + 5) % 12 + 1:02}", d.isoformat() in ("2023-12-25", "2024-01-01", "2024-03-29") or d.weekday() == 6) for d in days]
    # Every nth hour from a start, over the clock changes of Berlin and New York, the leap day and two ends of a year; none in August 2023.
    entries = []
    at = datetime.datetime(2023, 1, 2, 5, 30)
    for i in range(1, 121):
        at += datetime.timedelta(hours=(i * 37) % 173 + 11)
        if (at.year, at.month) == (2023, 8):
            at = datetime.datetime(2023, 9, 1, 0, 0)
        account = {0: None, 5: 55}.get(i % 13, i % 11 + 1)
        amount = None if i % 17 == 0 else f"{(i * 53) % 199 - 99}.{(i * 7) % 10}5"
        value_on = None if i % 19 == 0 else (at.date() + datetime.timedelta(days=i % 3)).isoformat()
        entries.append((account or 0, i, at.strftime("%Y-%m-%dT%H:%M:%SZ"), value_on, amount, ["in", "out", None, "fee"][i % 4]))
    fixed = ["2023-03-12T06:59:59Z", "2023-03-12T07:00:00Z", "2023-11-05T05:30:00Z", "2023-11-05T06:30:00Z", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59Z", "2024-03-01T04:59:59Z", "2024-03-01T05:00:00Z", "2024-03-10T06:30:00Z",
             "2024-03-10T07:30:00Z", "2023-02-28T12:00:00Z", "2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z"]
    for i, stamp in enumerate(fixed, 201):
        entries.append((i % 4 + 1, i, stamp, stamp[:10], f"{i - 206}.10", "in"))
    # Ties: two origins that wrote at one moment, the last of its month; months without a word of an account; an account that has one at the stroke of midnight.
    snapshots = []
    for account, amount in ((1, 100), (2, -40), (4, 7), (6, 0)):
        for n, moment in enumerate(["2023-11-30 23:59:59", "2023-12-31 23:59:59", "2024-01-01 00:00:00", "2024-01-31 12:00:00", "2024-02-29 23:00:00", "2024-03-31 02:30:00"]):
            if (account, n) in ((2, 4), (4, 0), (4, 1), (6, 5)):
                continue
            snapshots.append((account, moment, "core", f"{amount + 10 * n}.50"))
            if (account + n) % 3 == 0:
                snapshots.append((account, moment, "late", f"{n}.25"))
    snapshots.append((1, "2024-02-29 08:00:00", "core", None))
    snapshots.append((6, "2024-03-31 09:00:00", "core", None))
    snapshots.append((0, "2024-01-15 00:00:00", "core", "1000.00"))  # of an account that is not there
    swipes = [(i, i % 4 + 1 if i % 7 else None, f"2024-0{i % 3 + 1}-{(i * 11) % 27 + 1:02}T{(i * 5) % 24:02}:00:00Z", ["atm", "shop", None][i % 3]) for i in range(1, 37)]
    disputes = [(i, i % 4 + 1, f"2024-0{i % 3 + 1}-{(i * 11) % 27 + 2:02}T{(i * 5 + i % 9) % 24:02}:00:00Z", f"{i}.00", ["atm", "shop", None][(i + i // 5) % 3]) for i in range(1, 31, 2)]
    disputes += [(100, 2, "2024-02-13T05:00:00Z", "5.00", "atm"), (101, 3, "2024-03-01T00:00:00Z", "6.00", None)]
    return [
        ("branch", [("region", "text"), ("no", "int"), ("town", "text")], ["region", "no"], branches),
        ("branch_version", [("version_key", "int"), ("region", "text"), ("no", "int"), ("tier", "text"), ("valid_from", "date"), ("valid_to", "date")], ["version_key"], versions),
        ("account", [("id", "int"), ("region", "text"), ("branch_no", "int"), ("version_key", "int"), ("parent_id", "int"), ("kind", "text"), ("credit_limit", "money"), ("opened_on", "date"), ("closed_on", "date")],
         ["id"], accounts),
        ("holder", [("id", "int"), ("segment", "text"), ("since", "date")], ["id"], holders),
        ("account_holder", [("account_id", "int"), ("holder_id", "int"), ("part", "money")], ["account_id", "holder_id"], holdings),
        ("household", [("id", "int"), ("area", "text")], ["id"], households),
        ("household_member", [("household_id", "int"), ("holder_id", "int")], ["household_id", "holder_id"], members),
        ("calendar", [("day", "date"), ("fiscal_year", "int"), ("fiscal_period", "text"), ("is_holiday", "bool")], ["day"], calendar),
        ("entry", [("account_id", "int"), ("seq", "int"), ("booked_at", "instant"), ("value_on", "date"), ("amount", "money"), ("kind", "text")], ["account_id", "seq"], entries),
        ("snapshot", [("account_id", "int"), ("taken_at", "naive"), ("origin", "text"), ("amount", "money")], ["account_id", "taken_at", "origin"], snapshots),
        ("swipe", [("id", "int"), ("account_id", "int"), ("at", "instant"), ("terminal", "text")], ["id"], swipes),
        ("dispute", [("id", "int"), ("account_id", "int"), ("at", "instant"), ("amount", "money"), ("terminal", "text")], ["id"], disputes),
    ]
