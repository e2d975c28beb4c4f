#!/usr/bin/env python3
"""Prints PostgreSQL DDL of N invented tables in eight schemas, with foreign keys and comments. The same N gives the same text."""
import random, sys

SUBJECTS = ("account asset budget campaign carrier claim contract course customer delivery device employee exam flight fund gauge invoice item lease "
            "ledger licence loan meter order parcel patient payment permit plan policy product quote recipe region rental route sample school sensor "
            "session shift site station stock student supplier survey ticket trip vehicle vendor visit voucher ward warehouse").split()
ROLES = "archive audit batch detail entry event header history line link log map note snapshot stage summary target version".split()
FIELDS = "amount category city code count created_at description due_on email flag kind label level name note number owner price quantity rate ref region score state status title total updated_at weight".split()
TYPES = "text integer bigint numeric(12,2) date timestamptz boolean uuid varchar(40)".split()
SCHEMAS = [f"area{n}" for n in range(8)]


def main(count):
    rng = random.Random(count)
    pairs = [(a, b, r) for a in SUBJECTS for b in SUBJECTS if a != b for r in ROLES]
    names = ["_".join(parts) for parts in rng.sample(pairs, count)]
    print("\n".join(f"CREATE SCHEMA {schema};" for schema in SCHEMAS))
    for i, name in enumerate(names):
        table = f"{SCHEMAS[i % len(SCHEMAS)]}.{name}"
        columns = [f"{name}_id bigint PRIMARY KEY"]
        columns += [f"{field} {rng.choice(TYPES)}" for field in rng.sample(FIELDS, rng.randint(3, 16))]
        for target in sorted(rng.sample(range(i), min(i, rng.randint(0, 3)))):
            columns.append(f"{names[target]}_id bigint REFERENCES {SCHEMAS[target % len(SCHEMAS)]}.{names[target]} ({names[target]}_id)")
        print(f"CREATE TABLE {table} (\n  " + ",\n  ".join(columns) + "\n);")
        if i % 4 == 0:
            print(f"COMMENT ON TABLE {table} IS 'Keeps the {name.replace('_', ' ')} rows of one day';")


if __name__ == "__main__":
    main(int(sys.argv[1]))
