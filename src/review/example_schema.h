#pragma once

// The schema of the examples of rules that need one.

#include <string_view>

namespace schemaward::review {

inline constexpr std::string_view kExampleSchema = R"(CREATE TABLE customers (
  customer_id bigint PRIMARY KEY,
  name text NOT NULL,
  email text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE orders (
  order_id bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers ON DELETE RESTRICT,
  referrer_id bigint,
  total numeric(12, 2) NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'paid', 'shipped')),
  ordered_at timestamptz NOT NULL,
  shipped_at timestamptz
);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE TABLE order_items (
  order_id bigint NOT NULL REFERENCES orders ON DELETE CASCADE,
  line integer NOT NULL,
  product text NOT NULL,
  quantity integer NOT NULL,
  PRIMARY KEY (order_id, line)
);
)";

}  // namespace schemaward::review
