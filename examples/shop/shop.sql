-- The sample shop: a small mail-order business with three years of orders, made for SQLite. Every row is invented and every
-- load gives the same rows.   sqlite3 shop.db <examples/shop/shop.sql
--
-- SQLite keeps the text of a CREATE statement, and Schemaward reads the remarks in it: one after the opening bracket belongs to
-- the table, one after a column to that column.
--
-- The schema holds what makes numbers go wrong, on purpose: an order has lines AND payments AND shipments (joining two of
-- them multiplies rows), two addresses in two roles, orders without a customer, four dates per order, stock that must not be
-- summed over days, a bridge between products and tags, a composite key that three tables point to.
PRAGMA foreign_keys = ON;
BEGIN;

CREATE TABLE category (                      -- Tree of product categories
    category_id         INTEGER PRIMARY KEY,
    name                TEXT NOT NULL UNIQUE,
    parent_category_id  INTEGER REFERENCES category (category_id)    -- null for a top category
);

CREATE TABLE supplier (                      -- Companies that goods are bought from
    supplier_id    INTEGER PRIMARY KEY,
    name           TEXT NOT NULL,
    country_code   TEXT NOT NULL,            -- ISO 3166-1, two letters
    lead_time_days INTEGER NOT NULL CHECK (lead_time_days BETWEEN 1 AND 120)
);

CREATE TABLE product (                       -- What can be ordered, also what no longer can
    product_id       INTEGER PRIMARY KEY,
    sku              TEXT NOT NULL UNIQUE,   -- stock keeping unit, printed on labels
    name             TEXT NOT NULL,
    category_id      INTEGER NOT NULL REFERENCES category (category_id),
    supplier_id      INTEGER REFERENCES supplier (supplier_id),      -- null: made in house
    list_price_cents INTEGER NOT NULL CHECK (list_price_cents >= 0), -- today's price in euro cents; what was paid is in order_line
    unit_cost_cents  INTEGER NOT NULL,       -- purchase cost in euro cents
    launched_on      TEXT NOT NULL,          -- date
    discontinued_on  TEXT                    -- date; null while it is sold
);

CREATE TABLE tag (                           -- Free labels for products
    tag_id  INTEGER PRIMARY KEY,
    label   TEXT NOT NULL UNIQUE COLLATE NOCASE
);

CREATE TABLE product_tag (                   -- Which product carries which tags
    product_id  INTEGER NOT NULL REFERENCES product (product_id) ON DELETE CASCADE,
    tag_id      INTEGER NOT NULL REFERENCES tag (tag_id) ON DELETE CASCADE,
    PRIMARY KEY (product_id, tag_id)
) WITHOUT ROWID;

CREATE TABLE employee (                      -- Staff; the tree of who reports to whom
    employee_id  INTEGER PRIMARY KEY,
    full_name    TEXT NOT NULL,
    job_title    TEXT NOT NULL,
    manager_id   INTEGER REFERENCES employee (employee_id),          -- null for the head
    hired_on     TEXT NOT NULL               -- date
);

CREATE TABLE customer (                      -- People and companies with an account
    customer_id         INTEGER PRIMARY KEY,
    email               TEXT NOT NULL UNIQUE,
    full_name           TEXT NOT NULL,
    segment             TEXT NOT NULL DEFAULT 'consumer' CHECK (segment IN ('consumer', 'business', 'public')),  -- market segment
    signed_up_at        TEXT NOT NULL,       -- UTC timestamp
    referred_by         INTEGER REFERENCES customer (customer_id),   -- who recommended the shop; mostly null
    account_manager_id  INTEGER REFERENCES employee (employee_id),   -- only for business and public customers
    marketing_consent   INTEGER NOT NULL DEFAULT 0 CHECK (marketing_consent IN (0, 1))   -- 1 if newsletters may be sent
);

CREATE TABLE address (                       -- Where customers live and receive goods; one customer may have several
    address_id    INTEGER PRIMARY KEY,
    customer_id   INTEGER REFERENCES customer (customer_id) ON DELETE SET NULL,   -- null for guests
    street        TEXT NOT NULL,
    city          TEXT NOT NULL,
    postal_code   TEXT NOT NULL,
    country_code  TEXT NOT NULL              -- ISO 3166-1, two letters
);

CREATE TABLE sales_order (                   -- One row per order, from basket to delivery
    order_id             INTEGER PRIMARY KEY,
    customer_id          INTEGER REFERENCES customer (customer_id),  -- null: ordered as a guest
    billing_address_id   INTEGER NOT NULL REFERENCES address (address_id),
    shipping_address_id  INTEGER NOT NULL REFERENCES address (address_id),
    status               TEXT NOT NULL CHECK (status IN ('placed', 'paid', 'shipped', 'delivered', 'cancelled')),
    channel              TEXT NOT NULL CHECK (channel IN ('web', 'app', 'phone')),
    placed_at            TEXT NOT NULL,      -- UTC timestamp; the date that revenue is counted by
    paid_at              TEXT,               -- UTC timestamp of the last payment
    shipped_at           TEXT,               -- UTC timestamp of the first shipment
    cancelled_at         TEXT,               -- UTC timestamp; null unless cancelled
    shipping_fee_cents   INTEGER NOT NULL DEFAULT 0                  -- per order, in euro cents
);

CREATE TABLE order_line (                    -- What was ordered; revenue is quantity * unit_price_cents - discount_cents
    order_id          INTEGER NOT NULL REFERENCES sales_order (order_id) ON DELETE CASCADE,
    line_no           INTEGER NOT NULL,      -- 1, 2, 3 within the order
    product_id        INTEGER NOT NULL REFERENCES product (product_id),
    quantity          INTEGER NOT NULL CHECK (quantity > 0),
    unit_price_cents  INTEGER NOT NULL,      -- price at the time of the order, in euro cents
    discount_cents    INTEGER NOT NULL DEFAULT 0,                    -- for the whole line, in euro cents
    PRIMARY KEY (order_id, line_no)
);

CREATE TABLE payment (                       -- Money received for an order; an order may be paid in parts, or refunded
    payment_id    INTEGER PRIMARY KEY,
    order_id      INTEGER NOT NULL REFERENCES sales_order (order_id),
    method        TEXT NOT NULL CHECK (method IN ('card', 'transfer', 'invoice', 'voucher')),
    amount_cents  INTEGER NOT NULL,          -- in euro cents; negative for a refund
    received_at   TEXT NOT NULL              -- UTC timestamp
);

CREATE TABLE warehouse (                     -- Places that goods are kept in
    warehouse_id  INTEGER PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    country_code  TEXT NOT NULL
);

CREATE TABLE stock_snapshot (                -- Stock at the end of each month; add it up over products, never over dates
    snapshot_date  TEXT NOT NULL,            -- last day of a month
    warehouse_id   INTEGER NOT NULL REFERENCES warehouse (warehouse_id),
    product_id     INTEGER NOT NULL REFERENCES product (product_id),
    on_hand        INTEGER NOT NULL,         -- pieces
    PRIMARY KEY (snapshot_date, warehouse_id, product_id)
) WITHOUT ROWID;

CREATE TABLE shipment (                      -- Parcels; an order may need several
    shipment_id    INTEGER PRIMARY KEY,
    order_id       INTEGER NOT NULL REFERENCES sales_order (order_id),
    warehouse_id   INTEGER NOT NULL REFERENCES warehouse (warehouse_id),
    carrier        TEXT NOT NULL,
    tracking_code  TEXT UNIQUE,
    shipped_at     TEXT NOT NULL,            -- UTC timestamp
    delivered_at   TEXT                      -- UTC timestamp; null while on its way
);

CREATE TABLE shipment_line (                 -- Which order lines a parcel holds
    shipment_id  INTEGER NOT NULL REFERENCES shipment (shipment_id) ON DELETE CASCADE,
    order_id     INTEGER NOT NULL,
    line_no      INTEGER NOT NULL,
    quantity     INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (shipment_id, order_id, line_no),
    FOREIGN KEY (order_id, line_no) REFERENCES order_line (order_id, line_no)
);

CREATE TABLE return_line (                   -- Goods that came back
    return_id      INTEGER PRIMARY KEY,
    order_id       INTEGER NOT NULL,
    line_no        INTEGER NOT NULL,
    quantity       INTEGER NOT NULL CHECK (quantity > 0),
    reason         TEXT NOT NULL CHECK (reason IN ('damaged', 'wrong item', 'does not fit', 'changed mind')),
    returned_at    TEXT NOT NULL,            -- UTC timestamp
    handled_by     INTEGER REFERENCES employee (employee_id),
    FOREIGN KEY (order_id, line_no) REFERENCES order_line (order_id, line_no)
);

CREATE INDEX sales_order_customer_idx ON sales_order (customer_id, placed_at);
CREATE INDEX sales_order_placed_idx ON sales_order (placed_at);
CREATE INDEX order_line_product_idx ON order_line (product_id);
CREATE INDEX payment_order_idx ON payment (order_id);
CREATE INDEX shipment_order_idx ON shipment (order_id);
CREATE UNIQUE INDEX address_place_idx ON address (street, city, postal_code);
CREATE INDEX product_on_sale_idx ON product (category_id) WHERE discontinued_on IS NULL;

CREATE VIEW order_total AS                   -- What each order is worth, without multiplying lines by payments
SELECT o.order_id,
       o.placed_at,
       (SELECT sum(l.quantity * l.unit_price_cents - l.discount_cents) FROM order_line AS l WHERE l.order_id = o.order_id) AS goods_cents,
       o.shipping_fee_cents,
       (SELECT coalesce(sum(p.amount_cents), 0) FROM payment AS p WHERE p.order_id = o.order_id) AS paid_cents
FROM sales_order AS o;

CREATE VIEW monthly_revenue AS               -- Goods sold per month of the order, cancelled orders left out
SELECT strftime('%Y-%m', o.placed_at) AS month,
       sum(l.quantity * l.unit_price_cents - l.discount_cents) AS revenue_cents,
       count(DISTINCT o.order_id) AS orders
FROM sales_order AS o
JOIN order_line AS l ON l.order_id = o.order_id
WHERE o.status <> 'cancelled'
GROUP BY 1;

CREATE VIEW current_stock AS                 -- Stock per product at the latest month's end
SELECT s.product_id, sum(s.on_hand) AS on_hand
FROM stock_snapshot AS s
WHERE s.snapshot_date = (SELECT max(snapshot_date) FROM stock_snapshot)
GROUP BY s.product_id;

-- Rows. `seq` counts; choices follow from multiplying by primes, so that no two columns move together.
CREATE TEMP TABLE seq (i INTEGER PRIMARY KEY);
INSERT INTO seq
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT i FROM n;
CREATE TEMP TABLE word (kind TEXT, n INTEGER, w TEXT, PRIMARY KEY (kind, n));
INSERT INTO word
WITH RECURSIVE list (kind, words) AS (VALUES
    ('given', 'Alva,Bruno,Clio,Dario,Edda,Faris,Greta,Hugo,Ines,Jonas,Kira,Levi,Mina,Nilo,Ona,Pia,Quinn,Runa,Sami,Tilda'),
    ('family', 'Ahorn,Birke,Clover,Delta,Eibe,Falter,Garten,Hazel,Iris,Juniper,Kiesel,Linde,Meadow,Nettle,Oak,Pebble,Quartz,Reed,Sorrel,Thistle,Ulme,Vale,Weide'),
    ('street', 'Lindenweg,Mill Lane,Rue du Lac,Hafenstrasse,Calle Sol,Strandgatan,Kirkegata,Via Verde,Park Row,Bergweg,Quai Nord'),
    ('city', 'Nordhafen,Suedtal,Westbruck,Ostheim,Port Clair,Villeneuve-sur-Lac,Monte Bello,Granvik,Altona'),
    ('country', 'DE,FR,SE,IT,NL,AT,DK'),
    ('thing', 'kettle,lamp,chair,desk,mug,backpack,tent,stove,blanket,bowl,knife,clock,shelf,mirror,rug,bottle'),
    ('style', 'Classic,Nordic,Compact,Folding,Travel,Studio,Garden,Winter'),
    ('title', 'sales agent,warehouse clerk,buyer,support agent,accountant')),
split (kind, n, w, rest) AS (
    SELECT kind, 0, NULL, words || ',' FROM list
    UNION ALL
    SELECT kind, n + 1, substr(rest, 1, instr(rest, ',') - 1), substr(rest, instr(rest, ',') + 1) FROM split WHERE rest <> '')
SELECT kind, n - 1, w FROM split WHERE w IS NOT NULL;

INSERT INTO category VALUES
    (1, 'Home', NULL), (2, 'Kitchen', 1), (3, 'Living', 1), (4, 'Outdoor', NULL), (5, 'Camping', 4), (6, 'Garden', 4),
    (7, 'Office', NULL), (8, 'Lighting', 1), (9, 'Storage', 7), (10, 'Gift cards', NULL);
INSERT INTO supplier
SELECT i, w || ' ' || CASE i % 3 WHEN 0 THEN 'Trading' WHEN 1 THEN 'Works' ELSE 'Goods' END,
       (SELECT w FROM word WHERE kind = 'country' AND n = i * 5 % 7), 3 + i * 17 % 60
FROM seq JOIN word ON kind = 'family' AND n = i * 7 % 23 WHERE i <= 12;
INSERT INTO product
SELECT i, printf('SKU-%04d', 1000 + i), style.w || ' ' || thing.w, 1 + i * 7 % 9,
       CASE WHEN i % 9 = 0 THEN NULL ELSE 1 + i * 5 % 12 END,
       500 + i * 7919 % 24000, 200 + i * 7919 % 24000 * 11 / 20,
       date('2022-01-01', '+' || (i * 37 % 900) || ' days'),
       CASE WHEN i % 13 = 0 THEN date('2025-01-01', '+' || (i * 11 % 300) || ' days') END
FROM seq
JOIN word AS style ON style.kind = 'style' AND style.n = i % 8
JOIN word AS thing ON thing.kind = 'thing' AND thing.n = i / 8 % 16
WHERE i <= 128;
INSERT INTO tag VALUES (1, 'new'), (2, 'sale'), (3, 'eco'), (4, 'fragile'), (5, 'bulky'), (6, 'bestseller'), (7, 'handmade');
INSERT INTO product_tag
SELECT DISTINCT product_id, 1 + (product_id * k + k * k) % 7
FROM product, (SELECT 1 AS k UNION ALL SELECT 2 UNION ALL SELECT 5) WHERE (product_id + k) % 4 <> 0;
INSERT INTO employee
SELECT i, given.w || ' ' || family.w, CASE WHEN i = 1 THEN 'head of shop' ELSE title.w END,
       CASE WHEN i = 1 THEN NULL WHEN i <= 4 THEN 1 ELSE 2 + i % 3 END, date('2019-03-01', '+' || (i * 83 % 1500) || ' days')
FROM seq
JOIN word AS given ON given.kind = 'given' AND given.n = i * 3 % 20
JOIN word AS family ON family.kind = 'family' AND family.n = i * 5 % 23
JOIN word AS title ON title.kind = 'title' AND title.n = i % 5
WHERE i <= 24;
INSERT INTO customer
SELECT i, lower(given.w) || '.' || lower(family.w) || i || '@example.com', given.w || ' ' || family.w,
       CASE WHEN i % 11 = 0 THEN 'public' WHEN i % 4 = 0 THEN 'business' ELSE 'consumer' END,
       strftime('%Y-%m-%dT%H:%M:%SZ', '2022-06-01', '+' || (i * 31 % 1200) || ' days', '+' || (i * 7907 % 86400) || ' seconds'),
       CASE WHEN i > 10 AND i % 6 = 0 THEN 1 + i * 13 % (i - 1) END,
       CASE WHEN i % 11 = 0 OR i % 4 = 0 THEN 5 + i % 20 END,
       i * 7 % 10 < 4
FROM seq
JOIN word AS given ON given.kind = 'given' AND given.n = i % 20
JOIN word AS family ON family.kind = 'family' AND family.n = i * 3 % 23
WHERE i <= 600;
INSERT INTO address
SELECT i, CASE WHEN i > 900 THEN NULL WHEN i > 600 THEN (i - 600) * 2 ELSE i END,
       street.w || ' ' || (1 + i / 11), city.w, printf('%05d', 10000 + i * 97 % 90000), country.w
FROM seq
JOIN word AS street ON street.kind = 'street' AND street.n = i % 11
JOIN word AS city ON city.kind = 'city' AND city.n = i * 5 % 9
JOIN word AS country ON country.kind = 'country' AND country.n = i * 3 % 7
WHERE i <= 1000;
-- Three years of orders; one in eight is a guest's. A second address, where there is one, serves one order in three.
INSERT INTO sales_order
SELECT o.i, o.customer_id, o.home, CASE WHEN o.customer_id % 2 = 0 AND o.i % 3 = 0 THEN 600 + o.customer_id / 2 ELSE o.home END,
       o.status, CASE WHEN o.i % 10 < 6 THEN 'web' WHEN o.i % 10 < 9 THEN 'app' ELSE 'phone' END, o.placed_at,
       CASE WHEN o.status IN ('paid', 'shipped', 'delivered') THEN strftime('%Y-%m-%dT%H:%M:%SZ', o.placed_at, '+' || (o.i * 41 % 90) || ' hours') END,
       CASE WHEN o.status IN ('shipped', 'delivered') THEN strftime('%Y-%m-%dT%H:%M:%SZ', o.placed_at, '+' || (100 + o.i * 29 % 90) || ' hours') END,
       CASE WHEN o.status = 'cancelled' THEN strftime('%Y-%m-%dT%H:%M:%SZ', o.placed_at, '+' || (1 + o.i % 40) || ' hours') END,
       CASE WHEN o.i % 4 = 0 THEN 0 ELSE 490 END
FROM (SELECT i, CASE WHEN i % 8 = 3 THEN NULL ELSE 1 + i * 277 % 600 END AS customer_id,
             CASE WHEN i % 8 = 3 THEN 901 + i * 7 % 100 ELSE 1 + i * 277 % 600 END AS home,
             CASE WHEN i % 19 = 0 THEN 'cancelled' WHEN i > 3560 THEN 'placed' WHEN i > 3520 THEN 'paid' WHEN i > 3450 THEN 'shipped' ELSE 'delivered' END AS status,
             strftime('%Y-%m-%dT%H:%M:%SZ', '2023-01-01', '+' || (i * 1095 / 3600) || ' days', '+' || (i * 7919 % 86400) || ' seconds') AS placed_at
      FROM seq WHERE i <= 3600) AS o;
INSERT INTO order_line
SELECT o.order_id, k.i, 1 + (o.order_id * 31 + k.i * 47) % 128, 1 + (o.order_id + k.i) % 3,
       p.list_price_cents, CASE WHEN (o.order_id + k.i) % 7 = 0 THEN p.list_price_cents / 10 ELSE 0 END
FROM sales_order AS o
JOIN seq AS k ON k.i <= 1 + o.order_id * 13 % 4
JOIN product AS p ON p.product_id = 1 + (o.order_id * 31 + k.i * 47) % 128;
-- One order in nine is paid in two parts; a voucher refunds some that were cancelled after payment.
INSERT INTO payment (order_id, method, amount_cents, received_at)
SELECT t.order_id, CASE t.order_id % 4 WHEN 0 THEN 'transfer' WHEN 1 THEN 'invoice' ELSE 'card' END,
       CASE WHEN t.order_id % 9 = 0 THEN (t.goods_cents + t.shipping_fee_cents) / 2 ELSE t.goods_cents + t.shipping_fee_cents END, o.paid_at
FROM order_total AS t JOIN sales_order AS o USING (order_id) WHERE o.paid_at IS NOT NULL
ORDER BY t.order_id;
INSERT INTO payment (order_id, method, amount_cents, received_at)
SELECT t.order_id, 'voucher', t.goods_cents + t.shipping_fee_cents - (t.goods_cents + t.shipping_fee_cents) / 2, o.paid_at
FROM order_total AS t JOIN sales_order AS o USING (order_id) WHERE o.paid_at IS NOT NULL AND t.order_id % 9 = 0
ORDER BY t.order_id;
INSERT INTO warehouse VALUES (1, 'North', 'DE'), (2, 'South', 'IT'), (3, 'Returns', 'DE');
INSERT INTO stock_snapshot
SELECT date('2023-01-01', '+' || m.i || ' months', '-1 day'), w.warehouse_id, p.product_id, (p.product_id * 37 + m.i * 11 + w.warehouse_id * 5) % 180
FROM seq AS m, warehouse AS w, product AS p WHERE m.i <= 36 AND w.warehouse_id <= 2 AND (p.product_id + w.warehouse_id) % 3 <> 0;
INSERT INTO shipment (order_id, warehouse_id, carrier, tracking_code, shipped_at, delivered_at)
SELECT o.order_id, 1 + (o.order_id + k.i) % 2, CASE o.order_id % 3 WHEN 0 THEN 'Parcel Post' WHEN 1 THEN 'Swift Van' ELSE 'Bike Line' END,
       printf('TR%06d%d', o.order_id, k.i), strftime('%Y-%m-%dT%H:%M:%SZ', o.shipped_at, '+' || (k.i - 1) || ' days'),
       CASE WHEN o.status = 'delivered' THEN strftime('%Y-%m-%dT%H:%M:%SZ', o.shipped_at, '+' || (k.i + 1 + o.order_id % 4) || ' days') END
FROM sales_order AS o JOIN seq AS k ON k.i <= 1 + (o.order_id % 6 = 0 AND o.order_id * 13 % 4 > 0)
WHERE o.shipped_at IS NOT NULL
ORDER BY o.order_id, k.i;
-- Every sixth order of several lines goes in two parcels, its first line in the second.
INSERT INTO shipment_line
SELECT s.shipment_id, l.order_id, l.line_no, l.quantity
FROM shipment AS s JOIN order_line AS l ON l.order_id = s.order_id
WHERE CASE WHEN s.order_id % 6 <> 0 OR s.order_id * 13 % 4 = 0 THEN 1 WHEN s.tracking_code LIKE '%2' AND l.line_no = 1 THEN 1
           WHEN s.tracking_code LIKE '%1' AND l.line_no > 1 THEN 1 ELSE 0 END;
INSERT INTO return_line (order_id, line_no, quantity, reason, returned_at, handled_by)
SELECT l.order_id, l.line_no, 1, CASE l.order_id % 4 WHEN 0 THEN 'damaged' WHEN 1 THEN 'wrong item' WHEN 2 THEN 'does not fit' ELSE 'changed mind' END,
       strftime('%Y-%m-%dT%H:%M:%SZ', o.shipped_at, '+' || (9 + l.order_id % 20) || ' days'), CASE WHEN l.order_id % 5 = 0 THEN NULL ELSE 5 + l.order_id % 20 END
FROM order_line AS l JOIN sales_order AS o USING (order_id)
WHERE o.status = 'delivered' AND (l.order_id * 7 + l.line_no) % 23 = 0
ORDER BY l.order_id, l.line_no;

DROP TABLE temp.word;
DROP TABLE temp.seq;
ANALYZE;
COMMIT;
