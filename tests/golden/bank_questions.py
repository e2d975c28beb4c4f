"""Questions about the bank of bank_data.py and their oracles; words as in questions.py. What takes a zone is counted here in Python, from the rows and the dates of the clock changes.

MAKES: ambiguous_join ambiguous_path grain_mismatch unknown_group_by_column
"""
import collections, datetime
import bank_data
from questions import M, asked

QUESTIONS = []
ask, refuse = asked(QUESTIONS)

# --- Composite keys, null in a part of them -----------------------------------------------------------------------------------------------------------------------
AB = "account AS a LEFT JOIN branch AS b ON b.region = a.region AND b.no = a.branch_no"
EA = "entry AS e LEFT JOIN account AS a ON a.id = e.account_id"
ask("bank-key-two", "a key of two columns; a null part meets nothing", M("accounts", group_by=["branch.town"]), f"SELECT b.town, count(*) FROM {AB} GROUP BY b.town")
ask("bank-key-columns", "by the columns of the key", M("accounts", group_by=["branch.region", "branch.no"]), f"SELECT b.region, b.no, count(*) FROM {AB} GROUP BY b.region, b.no")
ask("bank-key-own", "by the referring columns, nulls and what leads nowhere as they are", M("accounts", group_by=["account.region", "account.branch_no"]), "SELECT region, branch_no, count(*) FROM account GROUP BY region, branch_no")
ask("bank-key-hop", "two joins, the second over two columns", M("turnover", group_by=["branch.town"]),
    f"SELECT b.town, sum(e.amount) FROM {EA} LEFT JOIN branch AS b ON b.region = a.region AND b.no = a.branch_no GROUP BY b.town")
ask("bank-key-ne", "no town is not that town", M("accounts", filters=[{"column": "branch.town", "op": "ne", "value": "Ulm"}]), f"SELECT count(*) FROM {AB} WHERE b.town IS NULL OR b.town <> 'Ulm'")
ask("bank-key-back", "branches' accounts from the other side: the fact's rows by a composite identity", M("entries", group_by=["holding.part"], filters=[{"column": "branch.town", "value": "Kiel"}]),
    "SELECT h.part, count(*) FROM (SELECT DISTINCT x.part, e.account_id, e.seq FROM entry AS e JOIN account AS a ON a.id = e.account_id JOIN branch AS b ON b.region = a.region AND b.no = a.branch_no"
    " LEFT JOIN account_holder AS x ON x.account_id = a.id WHERE b.town = 'Kiel') AS h GROUP BY h.part", "degraded", "fan_out_join")

# --- Versions of a dimension ----------------------------------------------------------------------------------------------------------------------------------------
ask("bank-version", "the tier that the branch had when the account was opened", M("turnover", group_by=["branch_version.tier"]),
    f"SELECT v.tier, sum(e.amount) FROM {EA} LEFT JOIN branch_version AS v ON v.version_key = a.version_key GROUP BY v.tier")
ask("bank-version-beside", "beside what the branch is called now", M("accounts", group_by=["branch.town", "branch_version.tier"]),
    f"SELECT b.town, v.tier, count(*) FROM {AB} LEFT JOIN branch_version AS v ON v.version_key = a.version_key GROUP BY b.town, v.tier")
ask("bank-version-open", "versions without an end", M("accounts", filters=[{"column": "branch_version.valid_to", "op": "is_null"}]),
    "SELECT count(*) FROM account AS a LEFT JOIN branch_version AS v ON v.version_key = a.version_key WHERE v.valid_to IS NULL")

# --- A bridge with weights, and what lies behind it -----------------------------------------------------------------------------------------------------------------
HA = "account_holder AS h LEFT JOIN account AS a ON a.id = h.account_id LEFT JOIN holder AS p ON p.id = h.holder_id"
ask("bank-weight", "parts of a limit add up", M("allocated", group_by=["holder.segment"]), f"SELECT p.segment, sum(h.part * a.credit_limit) FROM {HA} GROUP BY p.segment")
ask("bank-weight-total", "and to the total", M("allocated"), f"SELECT sum(h.part * a.credit_limit) FROM {HA}")
ask("bank-weight-kind", "parts by the account's kind", M("parts", group_by=["account.kind"]), f"SELECT a.kind, sum(h.part) FROM {HA} GROUP BY a.kind")
ask("bank-weight-fan", "entries by segment without weights: each once a segment", M("turnover", group_by=["holder.segment"]),
    f"SELECT segment, sum(amount) FROM (SELECT DISTINCT p.segment, e.account_id, e.seq, e.amount FROM {EA} LEFT JOIN account_holder AS h ON h.account_id = a.id LEFT JOIN holder AS p ON p.id = h.holder_id) AS x GROUP BY segment",
    "degraded", "fan_out_join")
ask("bank-weight-distinct", "owners of accounts of a kind", M("owners", group_by=["account.kind"]), f"SELECT a.kind, count(DISTINCT h.holder_id) FROM {HA} GROUP BY a.kind")
BEHIND = "EXISTS (SELECT 1 FROM account_holder AS h JOIN holder AS p ON p.id = h.holder_id JOIN household_member AS m ON m.holder_id = p.id JOIN household AS k ON k.id = m.household_id WHERE h.account_id = e.account_id AND {w})"
ask("bank-behind", "a filter behind two bridges counts no entry twice", M("turnover", filters=[{"column": "household.area", "value": "Hill"}]),
    f"SELECT sum(e.amount) FROM {EA} WHERE a.id IS NOT NULL AND {BEHIND.format(w=chr(107) + '.area = ' + chr(39) + 'Hill' + chr(39))}")
ask("bank-behind-time", "and by month", M("entries", time_grain="month", time_range={"start": "2024-01-01", "end": "2024-04-01"}, filters=[{"column": "household.area", "op": "in", "values": ["Shore"]}, {"column": "account.kind", "value": "card"}]),
    f"SELECT month(e.booked_at), count(*) FROM {EA} WHERE a.kind = 'card' AND e.booked_at >= '2024-01-01T00:00:00Z' AND e.booked_at < '2024-04-01T00:00:00Z' AND {BEHIND.format(w=chr(107) + '.area = ' + chr(39) + 'Shore' + chr(39))} GROUP BY 1")
ask("bank-bridge", "holders by area: in two households of one area once, in none a null", M("holders", group_by=["household.area"]),
    "SELECT area, count(*) FROM (SELECT DISTINCT k.area, p.id FROM holder AS p LEFT JOIN household_member AS m ON m.holder_id = p.id LEFT JOIN household AS k ON k.id = m.household_id) AS x GROUP BY area", "degraded", "fan_out_join")

# --- A date in several roles --------------------------------------------------------------------------------------------------------------------------------------
ask("bank-role-opened", "the fiscal year of the opening; days that the calendar lacks are null", M("accounts", group_by=["opened.fiscal_year"]),
    "SELECT d.fiscal_year, count(*) FROM account AS a LEFT JOIN calendar AS d ON d.day = a.opened_on GROUP BY d.fiscal_year")
ask("bank-role-both", "two roles at once", M("accounts", group_by=["opened.fiscal_year", "closed.fiscal_year"]),
    "SELECT o.fiscal_year, c.fiscal_year, count(*) FROM account AS a LEFT JOIN calendar AS o ON o.day = a.opened_on LEFT JOIN calendar AS c ON c.day = a.closed_on GROUP BY o.fiscal_year, c.fiscal_year")
ask("bank-role-filter", "a filter by one role, a group by the other", M("accounts", group_by=["closed.fiscal_period"], filters=[{"column": "opened.fiscal_year", "value": 2024}]),
    "SELECT c.fiscal_period, count(*) FROM account AS a JOIN calendar AS o ON o.day = a.opened_on LEFT JOIN calendar AS c ON c.day = a.closed_on WHERE o.fiscal_year = 2024 GROUP BY c.fiscal_period")
ask("bank-role-hop", "a role one join away", M("turnover", group_by=["opened.fiscal_year"]), f"SELECT d.fiscal_year, sum(e.amount) FROM {EA} LEFT JOIN calendar AS d ON d.day = a.opened_on GROUP BY d.fiscal_year")
ask("bank-role-own", "the entry's own day is nearer than its account's", M("entries", group_by=["calendar.is_holiday"]), "SELECT d.is_holiday, count(*) FROM entry AS e LEFT JOIN calendar AS d ON d.day = e.value_on GROUP BY d.is_holiday")
refuse("bank-role-which", "which of the account's days", M("accounts", group_by=["calendar.fiscal_year"]), "ambiguous_join")

# --- A table that refers to itself --------------------------------------------------------------------------------------------------------------------------------
ask("bank-self", "accounts by the kind of their parent; its own parent counts", M("accounts", group_by=["parent.kind"]), "SELECT p.kind, count(*) FROM account AS a LEFT JOIN account AS p ON p.id = a.parent_id GROUP BY p.kind")
ask("bank-self-hop", "entries by it", M("turnover", group_by=["parent.kind"]), f"SELECT p.kind, sum(e.amount) FROM {EA} LEFT JOIN account AS p ON p.id = a.parent_id GROUP BY p.kind")
ask("bank-self-own", "beside the account's own kind", M("turnover", group_by=["account.kind", "parent.kind"], order_by=["turnover"]), f"SELECT a.kind, p.kind, sum(e.amount) FROM {EA} LEFT JOIN account AS p ON p.id = a.parent_id GROUP BY a.kind, p.kind")
ask("bank-self-child", "accounts with a card below them", M("accounts", filters=[{"column": "child.kind", "value": "card"}]), "SELECT count(*) FROM account AS a WHERE EXISTS (SELECT 1 FROM account AS c WHERE c.parent_id = a.id AND c.kind = 'card')")

# --- Balances: the last moment of a period, ties, nulls, nothing -------------------------------------------------------------------------------------------------
def last(which, period, more=""):
    return f"s.taken_at = (SELECT {which}(x.taken_at) FROM snapshot AS x WHERE x.account_id = s.account_id{period}{more})"


MONTH = " AND month(x.taken_at) = month(s.taken_at)"
ask("bank-balance-ties", "all rows of the last moment count", M("closing", time_grain="month"), f"SELECT month(s.taken_at), sum(s.amount) FROM snapshot AS s WHERE {last('max', MONTH)} GROUP BY 1")
ask("bank-balance-first", "and of the first", M("opening", time_grain="quarter"), f"SELECT quarter(s.taken_at), sum(s.amount) FROM snapshot AS s WHERE {last('min', ' AND quarter(x.taken_at) = quarter(s.taken_at)')} GROUP BY 1")
ask("bank-balance-total", "the last of each account, whenever", M("closing"), f"SELECT sum(s.amount) FROM snapshot AS s WHERE {last('max', '')}")
ask("bank-balance-average", "an average of them", M("closing_average", time_grain="year"), f"SELECT year(s.taken_at), avg(s.amount * 1.0) FROM snapshot AS s WHERE {last('max', ' AND year(x.taken_at) = year(s.taken_at)')} GROUP BY 1")
ask("bank-balance-kind", "by month and kind, the account that is not there in a null", M("closing", time_grain="month", group_by=["account.kind"]),
    f"SELECT month(s.taken_at), a.kind, sum(s.amount) FROM snapshot AS s LEFT JOIN account AS a ON a.id = s.account_id WHERE {last('max', MONTH)} GROUP BY 1, a.kind")
ask("bank-balance-midnight", "the end of a range is not in it", M("closing", time_range={"start": "2023-12-01", "end": "2024-01-01"}),
    f"SELECT sum(s.amount) FROM snapshot AS s WHERE s.taken_at < '2024-01-01' AND s.taken_at >= '2023-12-01' AND {last('max', ' AND x.taken_at < ' + chr(39) + '2024-01-01' + chr(39) + ' AND x.taken_at >= ' + chr(39) + '2023-12-01' + chr(39))}")
ask("bank-balance-filter", "the last moment among the rows of one origin", M("closing", time_grain="month", filters=[{"column": "snapshot.origin", "value": "late"}]),
    "SELECT month(s.taken_at), sum(s.amount) FROM snapshot AS s WHERE s.origin = 'late' AND s.taken_at = (SELECT max(x.taken_at) FROM snapshot AS x WHERE x.origin = 'late' AND x.account_id = s.account_id AND month(x.taken_at) = month(s.taken_at)) GROUP BY 1")

# --- Zones and clocks that change -----------------------------------------------------------------------------------------------------------------------------------
SUMMERS = [("2023-03-12T07:00:00Z", "2023-11-05T06:00:00Z"), ("2024-03-10T07:00:00Z", "2024-11-03T06:00:00Z")]  # New York's
ENTRIES = [dict(zip([c for c, _ in t[1]], row)) for t in bank_data.tables() if t[0] == "entry" for row in t[3]]


def new_york(stamp):
    hours = -4 if any(start <= stamp < end for start, end in SUMMERS) else -5
    return datetime.datetime.fromisoformat(stamp[:-1]) + datetime.timedelta(hours=hours), hours


def count_of(spell, keep=lambda local: True):
    counted = collections.Counter(spell(*new_york(e["booked_at"])) for e in ENTRIES if keep(new_york(e["booked_at"])[0]))
    return [[period, count] for period, count in sorted(counted.items())]


ask("bank-zone-day", "days of New York", M("entries", time_grain="day", time_zone="America/New_York", limit=1000), count_of(lambda at, hours: at.date().isoformat()))
ask("bank-zone-month", "months of New York", M("entries", time_grain="month", time_zone="America/New_York"), count_of(lambda at, hours: f"{at:%Y-%m}-01"))
ask("bank-zone-hour", "the day of 25 hours by the hour", M("entries", time_grain="hour", time_zone="America/New_York", time_range={"start": "2023-11-05", "end": "2023-11-06"}),
    count_of(lambda at, hours: f"{at:%Y-%m-%dT%H}:00:00-0{-hours}:00", lambda at: f"{at:%Y-%m-%d}" == "2023-11-05"))
ask("bank-zone-week", "weeks of New York that begin on Sunday", M("entries", time_grain="week", time_zone="America/New_York", week_start="sunday", limit=200),
    count_of(lambda at, hours: (at.date() - datetime.timedelta(days=(at.weekday() + 1) % 7)).isoformat()))
ask("bank-zone-range", "a leap day in New York", M("entries", time_zone="America/New_York", time_range={"start": "2024-02-29", "end": "2024-03-01"}), [[sum(new_york(e["booked_at"])[0].date().isoformat() == "2024-02-29" for e in ENTRIES)]])

# --- Weeks against weeks, leap days, nothing in a period, one so far -----------------------------------------------------------------------------------------------
def total(what, start, end):
    return f"(SELECT {what} FROM entry WHERE booked_at >= '{start}T00:00:00Z' AND booked_at < '{end}T00:00:00Z')"


def iso(text, plus=0):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=plus)).isoformat()


def against(starts, days, back, what="sum(amount)"):
    """Rows (start, now, before, now - before); `back` gives the start of the earlier period."""
    return " UNION ALL ".join(f"SELECT '{s}' AS s, n, b, n - b AS d FROM (SELECT {total(what, s, iso(s, days))} AS n, {total(what, back(s), iso(back(s), days))} AS b) AS x" for s in starts)


WEEKS = [iso("2024-01-01", 7 * n) for n in range(13)]
ask("bank-weeks", "weeks of 2024 against the same of 52 weeks before", M("turnover", time_grain="week", time_range={"start": "2024-01-01", "end": "2024-04-01"}, compare={"offset": "1 year", "align": "week"}),
    against(WEEKS, 7, lambda s: iso(s, -364)))
ask("bank-weeks-metric", "a metric of it, by day; every day of the range is shown", M("turnover_year_weeks", time_grain="day", time_range={"start": "2024-03-08", "end": "2024-03-15"}),
    " UNION ALL ".join(f"SELECT '{iso('2024-03-08', n)}', {total('sum(amount)', iso('2024-03-08', n - 364), iso('2024-03-08', n - 363))}" for n in range(7)))
ask("bank-leap", "the 28th and the 29th are both compared with the last of February", M("entries", time_grain="day", time_range={"start": "2024-02-28", "end": "2024-03-01"}, compare="1 year"),
    " UNION ALL ".join(f"SELECT '{s}', n, b, n - b FROM (SELECT {total('count(*)', s, iso(s, 1))} AS n, {total('count(*)', '2023-02-28', '2023-03-01')} AS b) AS x" for s in ("2024-02-28", "2024-02-29")))
ask("bank-leap-month", "a February of 29 days against one of 28", M("entries", time_grain="month", time_range={"start": "2024-02-01", "end": "2024-03-01"}, compare="1 year"),
    f"SELECT '2024-02-01', n, b, n - b FROM (SELECT {total('count(*)', '2024-02-01', '2024-03-01')} AS n, {total('count(*)', '2023-02-01', '2023-03-01')} AS b) AS x")
ask("bank-empty", "a month without entries: no row", {"metrics": ["entries", "turnover"], "time_grain": "month", "time_range": {"start": "2023-07-01", "end": "2023-10-01"}},
    "SELECT month(booked_at), count(*), sum(amount) FROM entry WHERE booked_at >= '2023-07-01T00:00:00Z' AND booked_at < '2023-10-01T00:00:00Z' GROUP BY 1")
ask("bank-empty-filled", "or one on request, a count of 0 and no sum", {"metrics": ["entries", "turnover"], "time_grain": "month", "time_range": {"start": "2023-07-01", "end": "2023-10-01"}, "fill_gaps": True},
    " UNION ALL ".join(f"SELECT '{s}', {total('count(*)', s, e)}, {total('sum(amount)', s, e)}" for s, e in (("2023-07-01", "2023-08-01"), ("2023-08-01", "2023-09-01"), ("2023-09-01", "2023-10-01"))))
ask("bank-empty-before", "nothing a month before, nothing to subtract", M("turnover", time_grain="month", time_range={"start": "2023-07-01", "end": "2023-10-01"}, compare="1 month"),
    " UNION ALL ".join(f"SELECT '{s}', n, b, n - b FROM (SELECT {total('sum(amount)', s, e)} AS n, {total('sum(amount)', b, s)} AS b) AS x"
                       for b, s, e in (("2023-06-01", "2023-07-01", "2023-08-01"), ("2023-07-01", "2023-08-01", "2023-09-01"), ("2023-08-01", "2023-09-01", "2023-10-01"))))
ask("bank-window", "seven days up to each, days without an entry among them", M("turnover_7", time_grain="day", time_range={"start": "2024-03-04", "end": "2024-03-18"}),
    " UNION ALL ".join(f"SELECT '{iso('2024-03-04', n)}', {total('sum(amount)', iso('2024-03-04', n - 6), iso('2024-03-04', n + 1))}" for n in range(14)))
ask("bank-month-so-far", "a month so far by day, over the end of a February of 29", M("turnover_month", time_grain="day", time_range={"start": "2024-02-27", "end": "2024-03-04"}),
    " UNION ALL ".join(f"SELECT '{d}', {total('sum(amount)', d[:8] + '01', iso(d, 1))}" for d in (iso("2024-02-27", n) for n in range(6))))
ask("bank-year-before", "a year before, by quarter", M("entries_year_before", time_grain="quarter", time_range="2024"),
    " UNION ALL ".join(f"SELECT '{s}', {total('count(*)', f'2023{s[4:]}', f'2023{e[4:]}')}" for s, e in (("2024-01-01", "2024-04-01"), ("2024-04-01", "2024-07-01"))) +
    f" UNION ALL SELECT '2024-07-01', {total('count(*)', '2023-07-01', '2023-10-01')} UNION ALL SELECT '2024-10-01', {total('count(*)', '2023-10-01', '2024-01-01')}")

# --- Negative amounts, ratios, medians of an even count ------------------------------------------------------------------------------------------------------------
ask("bank-negative", "debits and credits by kind", {"metrics": ["debits", "credits", "turnover"], "group_by": ["entry.kind"]},
    "SELECT kind, sum(CASE WHEN amount < 0 THEN amount END), sum(CASE WHEN amount > 0 THEN amount END), sum(amount) FROM entry GROUP BY kind")
ask("bank-negative-ratio", "their ratio, below zero", M("debit_share", group_by=["account.kind"]),
    f"SELECT a.kind, sum(CASE WHEN e.amount < 0 THEN e.amount END) * 1.0 / nullif(sum(CASE WHEN e.amount > 0 THEN e.amount END), 0) FROM {EA} GROUP BY a.kind")
ask("bank-having", "groups that lost much", M("debits", group_by=["account.kind"], having=[{"metric": "debits", "op": "<", "value": -700}]),
    f"SELECT a.kind, sum(e.amount) FROM {EA} WHERE e.amount < 0 GROUP BY a.kind HAVING sum(e.amount) < -700")
RANKED = "(SELECT kind AS g, amount AS v, row_number() OVER (PARTITION BY kind ORDER BY amount) AS r, count(*) OVER (PARTITION BY kind) AS n FROM entry WHERE amount IS NOT NULL) AS x"
ask("bank-median", "medians of even and odd counts, by kind", M("median_entry", group_by=["entry.kind"]), f"SELECT g, avg(v * 1.0) FROM {RANKED} WHERE r IN ((n + 1) / 2, (n + 2) / 2) GROUP BY g")


def quartiles():
    """The continuous first quartile of each kind, from the rows."""
    values = collections.defaultdict(list)
    for e in ENTRIES:
        if e["amount"] is not None:
            values[e["kind"]].append(float(e["amount"]))
    out = []
    for kind, found in values.items():
        found.sort()
        whole, part = divmod((len(found) - 1) * 0.25, 1)
        low = found[int(whole)]
        out.append([kind, low + (found[min(int(whole) + 1, len(found) - 1)] - low) * part])
    return out


ask("bank-quartile", "first quartiles between two rows", M("quartile_entry", group_by=["entry.kind"]), quartiles())
ask("bank-derived", "two facts in one number: turnover over accounts, by kind", M("per_account", group_by=["account.kind"]),
    f"SELECT k.kind, (SELECT sum(e.amount) FROM {EA} WHERE a.kind = k.kind OR (a.kind IS NULL AND k.kind IS NULL)) * 1.0 / nullif((SELECT count(*) FROM account AS a WHERE a.kind = k.kind OR (a.kind IS NULL AND k.kind IS NULL)), 0)"
    " FROM (SELECT DISTINCT kind FROM account) AS k")
ask("bank-distinct", "different days of value by quarter of booking", M("value_days", time_grain="quarter"), "SELECT quarter(booked_at), count(DISTINCT value_on) FROM entry GROUP BY 1")
ask("bank-chasm", "balances and entries by town", {"metrics": ["entries", "closing"], "group_by": ["branch.town"]},
    "SELECT town, sum(n), sum(c) FROM (SELECT b.town, 1 AS n, NULL AS c FROM entry AS e LEFT JOIN account AS a ON a.id = e.account_id LEFT JOIN branch AS b ON b.region = a.region AND b.no = a.branch_no"
    f" UNION ALL SELECT b.town, 0, s.amount FROM snapshot AS s LEFT JOIN account AS a ON a.id = s.account_id LEFT JOIN branch AS b ON b.region = a.region AND b.no = a.branch_no WHERE {last('max', '')}) AS x GROUP BY town")

# --- Conversions: a window of hours, a property that must agree, another account ----------------------------------------------------------------------------------
SAME = "(s.terminal = d.terminal)"
FOUND = ("(SELECT d.id, (SELECT s.id FROM swipe AS s WHERE s.account_id = d.account_id{more} AND s.at <= d.at AND hours(s.at, 48) > hours(d.at, 0) ORDER BY s.at DESC, s.id DESC LIMIT 1) AS swipe_id FROM dispute AS d) AS m")
ask("bank-conversion", "disputes within 48 hours of a swipe at the same terminal", M("disputed"), f"SELECT count(swipe_id) FROM {FOUND.format(more=' AND ' + SAME)}")
ask("bank-conversion-month", "in the month of the swipe", M("disputed", time_grain="month"), f"SELECT month(s.at), count(m.swipe_id) FROM swipe AS s LEFT JOIN {FOUND.format(more=' AND ' + SAME)} ON m.swipe_id = s.id GROUP BY 1")
ask("bank-conversion-rate", "by the account's kind, whatever the terminal", M("dispute_rate", group_by=["account.kind"]),
    f"SELECT a.kind, count(m.swipe_id) * 1.0 / count(DISTINCT s.id) FROM swipe AS s LEFT JOIN account AS a ON a.id = s.account_id LEFT JOIN {FOUND.format(more='')} ON m.swipe_id = s.id GROUP BY a.kind")

# --- Several traps in one question --------------------------------------------------------------------------------------------------------------------------------
PEOPLE = "LEFT JOIN account_holder AS h ON h.account_id = a.id LEFT JOIN holder AS p ON p.id = h.holder_id"
LIVING = PEOPLE + " LEFT JOIN household_member AS m ON m.holder_id = p.id LEFT JOIN household AS k ON k.id = m.household_id"
ask("bank-mix-two-many", "two groups across one chain of to-many joins: each entry once for each pair", M("entries", group_by=["holder.segment", "household.area"], limit=200),
    f"SELECT segment, area, count(*) FROM (SELECT DISTINCT p.segment, k.area, e.account_id, e.seq FROM {EA} {LIVING}) AS x GROUP BY segment, area", "degraded", "fan_out_join")
ask("bank-mix-balance-fan", "last balances by the holders' segment: each account's once a segment", M("closing", group_by=["holder.segment"]),
    f"SELECT segment, sum(amount) FROM (SELECT DISTINCT p.segment, s.account_id, s.taken_at, s.origin, s.amount FROM snapshot AS s LEFT JOIN account AS a ON a.id = s.account_id {PEOPLE} WHERE {last('max', '')}) AS x GROUP BY segment",
    "degraded", "fan_out_join")
ask("bank-mix-median-fan", "a median across it of each entry once", M("median_entry", group_by=["holder.segment"]),
    "SELECT segment, avg(v * 1.0) FROM (SELECT segment, amount AS v, row_number() OVER (PARTITION BY segment ORDER BY amount) AS r, count(*) OVER (PARTITION BY segment) AS n FROM"
    f" (SELECT DISTINCT p.segment, e.account_id, e.seq, e.amount FROM {EA} {PEOPLE} WHERE e.amount IS NOT NULL) AS d) AS x WHERE r IN ((n + 1) / 2, (n + 2) / 2) GROUP BY segment", "degraded", "fan_out_join")
ask("bank-mix-distinct-fan", "distinct days across it", M("value_days", group_by=["holder.segment"]), f"SELECT p.segment, count(DISTINCT e.value_on) FROM {EA} {PEOPLE} GROUP BY p.segment")
ask("bank-mix-any-of", "any of: a value of its own, one to-one join away, one behind the bridges", M("turnover", filters=[{"any_of": [{"column": "entry.kind", "value": "fee"}, {"column": "account.kind", "value": "depot"}, {"column": "household.area", "value": "Shore"}]}]),
    f"SELECT sum(e.amount) FROM {EA} WHERE e.kind = 'fee' OR a.kind = 'depot' OR {BEHIND.format(w='k.area = ' + chr(39) + 'Shore' + chr(39))}")
ask("bank-mix-same-part", "two filters met by one holding", M("accounts", filters=[{"column": "holding.part", "op": "lt", "value": 0.5}, {"column": "holder.segment", "value": "private"}]),
    "SELECT count(*) FROM account AS a WHERE EXISTS (SELECT 1 FROM account_holder AS h JOIN holder AS p ON p.id = h.holder_id WHERE h.account_id = a.id AND h.part < 0.5 AND p.segment = 'private')")
ask("bank-mix-no-segment", "a negation behind a to-many join is of some related row, whose value may be null; no related row meets it not", M("accounts", filters=[{"column": "holder.segment", "op": "ne", "value": "private"}]),
    "SELECT count(*) FROM account AS a WHERE EXISTS (SELECT 1 FROM account_holder AS h LEFT JOIN holder AS p ON p.id = h.holder_id WHERE h.account_id = a.id AND (p.segment IS NULL OR p.segment <> 'private'))")
ask("bank-mix-roles-self", "a role of the parent's", M("accounts", group_by=["parent.kind", "opened.fiscal_year"]),
    "SELECT p.kind, d.fiscal_year, count(*) FROM account AS a LEFT JOIN account AS p ON p.id = a.parent_id LEFT JOIN calendar AS d ON d.day = a.opened_on GROUP BY p.kind, d.fiscal_year")
ask("bank-mix-date-zone", "a date is the same day in every zone", M("accounts", time_grain="day", time_zone="Asia/Tokyo"), "SELECT day(opened_on), count(*) FROM account GROUP BY 1")
ask("bank-mix-other-time", "entries by the month of their value", M("turnover", time_grain="month", time_dimension="entry.value_on"), "SELECT month(value_on), sum(amount) FROM entry GROUP BY 1")
ask("bank-mix-times", "two facts by the quarter, each by its own time", {"metrics": ["entries", "accounts"], "time_grain": "quarter"},
    "SELECT g, sum(n), sum(k) FROM (SELECT quarter(booked_at) AS g, 1 AS n, 0 AS k FROM entry UNION ALL SELECT quarter(opened_on), 0, 1 FROM account) AS x GROUP BY g")
ask("bank-mix-window-filter", "a window under a filter behind the bridges", M("turnover_7", time_grain="week", time_range={"start": "2024-03-04", "end": "2024-04-01"}, filters=[{"column": "household.area", "value": "Hill"}]),
    " UNION ALL ".join(f"SELECT '{s}', (SELECT sum(e.amount) FROM entry AS e WHERE e.booked_at >= '{s}T00:00:00Z' AND e.booked_at < '{iso(s, 7)}T00:00:00Z' AND {BEHIND.format(w='k.area = ' + chr(39) + 'Hill' + chr(39))})"
                       for s in ("2024-03-04", "2024-03-11", "2024-03-18", "2024-03-25")))
ask("bank-mix-top", "the least three of a kind, ties by name", M("entries", group_by=["account.kind", "entry.kind"], order_by=[{"column": "entries", "direction": "asc"}, "account.kind", "entry.kind"], limit=3,
    filters=[{"column": "account.kind", "op": "is_not_null"}, {"column": "entry.kind", "op": "is_not_null"}]),
    f"SELECT a.kind, e.kind, count(*) FROM {EA} WHERE a.kind IS NOT NULL AND e.kind IS NOT NULL GROUP BY a.kind, e.kind ORDER BY count(*), a.kind, e.kind LIMIT 3", ordered=True)
ask("bank-mix-conversion-filter", "disputed swipes of one terminal", M("disputed", filters=[{"column": "swipe.terminal", "value": "atm"}]),
    f"SELECT count(m.swipe_id) FROM swipe AS s JOIN {FOUND.format(more=' AND ' + SAME)} ON m.swipe_id = s.id WHERE s.terminal = 'atm'")
ask("bank-mix-leap-year", "months of a leap year against the year before, over a join", M("entries", time_grain="quarter", time_range={"start": "2024-01-01", "end": "2024-07-01"}, compare="1 year", filters=[{"column": "account.kind", "value": "giro"}]),
    " UNION ALL ".join(f"SELECT '2024-{s}', n, b, n - b FROM (SELECT (SELECT count(*) FROM {EA} WHERE a.kind = 'giro' AND e.booked_at >= '2024-{s}T00:00:00Z' AND e.booked_at < '2024-{t}T00:00:00Z') AS n,"
                       f" (SELECT count(*) FROM {EA} WHERE a.kind = 'giro' AND e.booked_at >= '2023-{s}T00:00:00Z' AND e.booked_at < '2023-{t}T00:00:00Z') AS b) AS x" for s, t in (("01-01", "04-01"), ("04-01", "07-01"))))

# --- Refusals -----------------------------------------------------------------------------------------------------------------------------------------------------
refuse("bank-grain", "hours of a date", M("accounts", time_grain="hour"), "grain_mismatch")
refuse("bank-no-column", "a column of the other version", M("accounts", group_by=["branch.tier"]), "unknown_group_by_column")
