-- The source of the transcripts: eight tables in two schemas, read without a database.
CREATE SCHEMA sales;
CREATE SCHEMA stock;

CREATE TABLE sales.customers (
    customer_id bigint PRIMARY KEY,
    email text NOT NULL UNIQUE,
    full_name text NOT NULL,
    country_code char(2) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
COMMENT ON TABLE sales.customers IS 'People and companies that buy from us';
COMMENT ON COLUMN sales.customers.country_code IS 'ISO 3166-1, two letters';

CREATE TYPE sales.order_status AS ENUM ('new', 'paid', 'shipped', 'cancelled');

CREATE TABLE sales.orders (
    order_id bigint PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES sales.customers (customer_id),
    status sales.order_status DEFAULT 'new' NOT NULL,
    ordered_at timestamp with time zone NOT NULL,
    total numeric(12, 2) NOT NULL CHECK (total >= 0)
);
COMMENT ON TABLE sales.orders IS 'One row for each order of a customer';
CREATE INDEX customers_country_email_idx ON sales.customers (country_code, email);
CREATE INDEX orders_ordered_at_idx ON sales.orders (ordered_at);

CREATE TABLE stock.products (
    product_id bigint PRIMARY KEY,
    sku text NOT NULL UNIQUE,
    name text NOT NULL,
    list_price numeric(12, 2) NOT NULL
);
COMMENT ON TABLE stock.products IS 'What can be ordered';

CREATE TABLE sales.order_lines (
    order_id bigint NOT NULL REFERENCES sales.orders (order_id),
    line_no integer NOT NULL,
    product_id bigint NOT NULL REFERENCES stock.products (product_id),
    quantity integer NOT NULL,
    unit_price numeric(12, 2) NOT NULL,
    PRIMARY KEY (order_id, line_no)
);
COMMENT ON TABLE sales.order_lines IS 'What was ordered, one row for each product';

CREATE TABLE stock.warehouses (
    warehouse_id bigint PRIMARY KEY,
    name text NOT NULL
);

CREATE TABLE stock.stock_levels (
    warehouse_id bigint NOT NULL REFERENCES stock.warehouses (warehouse_id),
    product_id bigint NOT NULL REFERENCES stock.products (product_id),
    counted_on date NOT NULL,
    on_hand integer NOT NULL,
    PRIMARY KEY (warehouse_id, product_id, counted_on)
);
COMMENT ON TABLE stock.stock_levels IS 'Pieces on hand at the end of a day';

CREATE TABLE sales.order_line_returns (
    return_id bigint PRIMARY KEY,
    order_id bigint NOT NULL,
    line_no integer NOT NULL,
    reason text,
    FOREIGN KEY (order_id, line_no) REFERENCES sales.order_lines (order_id, line_no)
);

-- Linked to nothing.
CREATE TABLE stock.holidays (
    holiday date PRIMARY KEY,
    name text NOT NULL
);

CREATE VIEW sales.paid_orders AS SELECT order_id, customer_id, total FROM sales.orders WHERE status = 'paid';
