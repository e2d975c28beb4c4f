"""Questions about the company of data.py and, for each, what a careful analyst would write by hand.

ask(id, what, args, oracle, status="success", reason=None, ordered=False): the oracle is SQL (both engines; day(x), week(x), month(x), quarter(x), year(x) stand for the first day of a
period of a time in UTC; days(x, n) adds days) or a list of rows. Columns: period, groups in order, metrics in order.
refuse(id, what, args, kind).

MAKES: unknown_metric unknown_group_by_column unknown_filter_column unknown_order_by_column unreachable_entity ambiguous_join ambiguous_path unknown_via_join invalid_time_grain grain_mismatch
MAKES: ambiguous_time_dimension malformed_name
"""
QUESTIONS = []


def asked(questions):
    """The functions that add to a list of questions."""
    def ask(name, what, args, oracle, status="success", reason=None, ordered=False):
        questions.append({"id": name, "what": what, "args": args, "oracle": oracle, "status": status, "reason": reason, "ordered": ordered})

    def refuse(name, what, args, kind):
        questions.append({"id": name, "what": what, "args": args, "kind": kind})

    return ask, refuse


ask, refuse = asked(QUESTIONS)

REV = "i.quantity * i.price * (1 - coalesce(i.discount, 0))"
M = lambda name, **more: {"name": name, **more}

# --- Every aggregation, alone ----------------------------------------------------------------------------------------------------------------------------
ask("agg-count", "rows", M("orders"), "SELECT count(*) FROM orders")
ask("agg-filtered", "a metric's own filter", M("paid_orders"), "SELECT count(*) FROM orders WHERE status = 'paid'")
ask("agg-distinct", "distinct, nulls not counted", M("ordering_customers"), "SELECT count(DISTINCT customer_id) FROM orders")
ask("agg-boolean", "sum of a boolean", M("gifts"), "SELECT count(*) FROM orders WHERE is_gift")
ask("agg-sum", "sum with nulls and negatives", M("score"), "SELECT sum(score) FROM orders")
ask("agg-avg", "average of what is there", M("avg_score"), "SELECT avg(score * 1.0) FROM orders")
ask("agg-min", "least", M("min_score"), "SELECT min(score) FROM orders")
ask("agg-max", "greatest", M("max_score"), "SELECT max(score) FROM orders")
ask("agg-count-column", "count of a column leaves nulls out", M("scored"), "SELECT count(score) FROM orders")
MEDIAN = ("SELECT avg(v * 1.0) FROM (SELECT {c} AS v, row_number() OVER (ORDER BY {c}) AS r, count(*) OVER () AS n FROM {t} WHERE {c} IS NOT NULL) AS x WHERE r IN ((n + 1) / 2, (n + 2) / 2)")
ask("agg-median", "median", M("median_score"), MEDIAN.format(c="score", t="orders"))
ask("agg-median-money", "median of decimals", M("median_payment"), MEDIAN.format(c="amount", t="payment"))
ask("agg-percentile", "90th percentile, continuous", M("p90_score"),
    "SELECT lo.v + (hi.v - lo.v) * ((n.n - 1) * 0.9 - floor_n) FROM (SELECT count(score) AS n, CAST((count(score) - 1) * 9 / 10 AS integer) AS floor_n FROM orders) AS n"
    " JOIN (SELECT score AS v, row_number() OVER (ORDER BY score) - 1 AS r FROM orders WHERE score IS NOT NULL) AS lo ON lo.r = n.floor_n"
    " JOIN (SELECT score AS v, row_number() OVER (ORDER BY score) - 1 AS r FROM orders WHERE score IS NOT NULL) AS hi ON hi.r = n.floor_n + 1")
ask("agg-expression", "an expression with a null discount", M("revenue"), f"SELECT sum({REV}) FROM order_item AS i")
ask("agg-filter-over-join", "a metric's filter over a to-one join, null statuses out", M("live_revenue"),
    "SELECT sum(i.quantity * i.price) FROM order_item AS i JOIN orders AS o ON o.id = i.order_id WHERE o.status <> 'cancelled' AND i.quantity > 1")
ask("agg-odd-names", "quoted and reserved names", M("odd_sum"), 'SELECT sum("select") FROM "Odd Table"')
ask("agg-filter-to-many", "a metric's filter across a to-many join counts no row twice", M("toy_orders"),
    "SELECT count(*) FROM orders AS o WHERE EXISTS (SELECT 1 FROM order_item AS i JOIN product AS p ON p.id = i.product_id WHERE i.order_id = o.id AND p.category = 'toys')")

# --- Groups over to-one joins: null keys and orphans stay ---------------------------------------------------------------------------------------------------
ask("L7-null-keys", "orders without a customer, and of one who is not there, stay in a null group", M("orders", group_by=["customer.country"]),
    "SELECT c.country, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.country")
ask("group-own", "a column of the fact, null among its values", M("orders", group_by=["order.status"]), "SELECT status, count(*) FROM orders GROUP BY status")
ask("group-two", "two groups", M("orders", group_by=["order.status", "customer.tier"]),
    "SELECT o.status, c.tier, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY o.status, c.tier")
ask("group-dimension", "a named expression", M("orders", group_by=["customer.region"]),
    "SELECT CASE WHEN c.country IN ('DE', 'FR') THEN 'EU' WHEN c.country IS NULL THEN NULL ELSE 'other' END, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY 1")
ask("L9-dimension-name", "a dimension over a column that the measure's filter reads too", M("paid_orders", group_by=["order.is_cancelled"]),
    "SELECT status = 'cancelled', count(*) FROM orders WHERE status = 'paid' GROUP BY 1")
ask("group-same-name", "two customers of one name are one group by name", M("orders", group_by=["customer.name"]),
    "SELECT c.name, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.name")
ask("group-identity", "and two by id", M("orders", group_by=["customer.id", "customer.name"]),
    "SELECT c.id, c.name, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.id, c.name")
ask("group-two-hops", "items by country of the customer, orphan items in a null group", M("revenue", group_by=["customer.country"]),
    f"SELECT c.country, sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.country")
ask("group-product", "products that are null or gone are null", M("revenue", group_by=["product.category"]),
    f"SELECT p.category, sum({REV}) FROM order_item AS i LEFT JOIN product AS p ON p.id = i.product_id GROUP BY p.category")
ask("group-boolean", "a boolean group", M("orders", group_by=["order.is_gift"]), "SELECT is_gift, count(*) FROM orders GROUP BY is_gift")
ask("group-odd", "a column with a blank in its name", M("odd_sum", group_by=['odd."Mixed Case"']), 'SELECT "Mixed Case", sum("select") FROM "Odd Table" GROUP BY "Mixed Case"')
ask("group-avg", "averages are those of the rows", M("avg_score", group_by=["customer.country"]),
    "SELECT c.country, avg(o.score * 1.0) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.country")
ask("group-distinct", "distinct in each group", M("ordering_customers", group_by=["order.status"]), "SELECT status, count(DISTINCT customer_id) FROM orders GROUP BY status")
ask("group-bare", "a column alone, of the fact", M("orders", group_by=["status"]), "SELECT status, count(*) FROM orders GROUP BY status")
ask("group-case", "another case", M("orders", group_by=["Customer.COUNTRY"]),
    "SELECT c.country, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.country")
ask("group-table-name", "the table's name in the entity's place", M("orders", group_by=["orders.status"]), "SELECT status, count(*) FROM orders GROUP BY status")
ask("group-synonym", "a synonym of the entity", M("orders", group_by=["client.country"]),
    "SELECT c.country, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.country")
ask("group-date", "a date as a group", M("orders", group_by=["order.due_on"], limit=200, order_by=["order.due_on"]), "SELECT due_on, count(*) FROM orders GROUP BY due_on")

# --- Roles, self-joins, bridges ------------------------------------------------------------------------------------------------------------------------------
ask("role-billing", "a role", M("orders", group_by=["billing.city"]), "SELECT a.city, count(*) FROM orders AS o LEFT JOIN address AS a ON a.id = o.billing_id GROUP BY a.city")
ask("role-shipping", "the other role, with nulls and orphans", M("orders", group_by=["shipping.country"]),
    "SELECT a.country, count(*) FROM orders AS o LEFT JOIN address AS a ON a.id = o.shipping_id GROUP BY a.country")
ask("role-both", "both roles at once", M("orders", group_by=["billing.country", "shipping.country"]),
    "SELECT b.country, s.country, count(*) FROM orders AS o LEFT JOIN address AS b ON b.id = o.billing_id LEFT JOIN address AS s ON s.id = o.shipping_id GROUP BY b.country, s.country")
ask("role-via", "a role by the name of its join", M("orders", group_by=["address.city"], via=["order_shipping"]),
    "SELECT a.city, count(*) FROM orders AS o LEFT JOIN address AS a ON a.id = o.shipping_id GROUP BY a.city")
ask("role-bound", "a join bound to one column", M("orders", group_by=["address.city"], via=["address.city=order_billing"]),
    "SELECT a.city, count(*) FROM orders AS o LEFT JOIN address AS a ON a.id = o.billing_id GROUP BY a.city")
ask("role-filter", "a filter by one role, a group by the other", M("orders", group_by=["billing.city"], filters=[{"column": "shipping.country", "value": "FR"}]),
    "SELECT b.city, count(*) FROM orders AS o LEFT JOIN address AS b ON b.id = o.billing_id JOIN address AS s ON s.id = o.shipping_id WHERE s.country = 'FR' GROUP BY b.city")
ask("role-people", "two roles of employees", M("orders", group_by=["creator.name", "approver.name"]),
    "SELECT c.name, a.name, count(*) FROM orders AS o LEFT JOIN employee AS c ON c.id = o.created_by LEFT JOIN employee AS a ON a.id = o.approved_by GROUP BY c.name, a.name")
ask("self-manager", "a self-join", M("employees", group_by=["manager.name"]), "SELECT m.name, count(*) FROM employee AS e LEFT JOIN employee AS m ON m.id = e.manager_id GROUP BY m.name")
ask("self-report", "a self-join the other way: heads counted once for each name among their reports", M("employees", group_by=["report.name"]),
    "SELECT r.name, count(DISTINCT e.id) FROM employee AS e LEFT JOIN employee AS r ON r.manager_id = e.id GROUP BY r.name", "degraded", "fan_out_join")
ask("role-then-on", "on from a role", M("hours", group_by=["employee.name", "department.name"]),
    "SELECT e.name, d.name, sum(s.hours) FROM shift AS s LEFT JOIN employee AS e ON e.id = s.employee_id LEFT JOIN department AS d ON d.id = e.department_id GROUP BY e.name, d.name")
ask("bridge-group", "a bridge: a product counts once for each of its tags", M("products", group_by=["tag.name"]),
    "SELECT t.name, count(DISTINCT p.id) FROM product AS p LEFT JOIN product_tag AS pt ON pt.product_id = p.id LEFT JOIN tag AS t ON t.id = pt.tag_id GROUP BY t.name", "degraded", "fan_out_join")
ask("L23-bridge-distinct", "distinct across a bridge is not inflated", M("ordering_customers", group_by=["tag.name"]),
    "SELECT t.name, count(DISTINCT o.customer_id) FROM orders AS o LEFT JOIN order_item AS i ON i.order_id = o.id LEFT JOIN product AS p ON p.id = i.product_id"
    " LEFT JOIN product_tag AS pt ON pt.product_id = p.id LEFT JOIN tag AS t ON t.id = pt.tag_id GROUP BY t.name")
ask("L23-bridge-avg", "an average across a bridge is of each order once", M("avg_score", group_by=["tag.name"]),
    "SELECT name, avg(score * 1.0) FROM (SELECT DISTINCT t.name, o.id, o.score FROM orders AS o LEFT JOIN order_item AS i ON i.order_id = o.id LEFT JOIN product AS p ON p.id = i.product_id"
    " LEFT JOIN product_tag AS pt ON pt.product_id = p.id LEFT JOIN tag AS t ON t.id = pt.tag_id) AS x GROUP BY name", "degraded", "fan_out_join")
ask("bridge-filter", "a filter across a bridge", M("products", filters=[{"column": "tag.name", "op": "in", "values": ["new", "sale"]}]),
    "SELECT count(*) FROM product AS p WHERE EXISTS (SELECT 1 FROM product_tag AS pt JOIN tag AS t ON t.id = pt.tag_id WHERE pt.product_id = p.id AND t.name IN ('new', 'sale'))")
ask("bridge-filter-far", "items by a tag of their product", M("units", filters=[{"column": "tag.name", "value": "new"}]),
    "SELECT sum(i.quantity) FROM order_item AS i WHERE EXISTS (SELECT 1 FROM product_tag AS pt JOIN tag AS t ON t.id = pt.tag_id JOIN product AS p ON p.id = pt.product_id"
    " WHERE p.id = i.product_id AND t.name = 'new')")

# --- Fan-out -------------------------------------------------------------------------------------------------------------------------------------------------
DIST = "SELECT category, {a} FROM (SELECT DISTINCT p.category, o.id, o.score FROM orders AS o LEFT JOIN order_item AS i ON i.order_id = o.id LEFT JOIN product AS p ON p.id = i.product_id) AS x GROUP BY category"
ask("fan-count", "orders by category: each once a category", M("orders", group_by=["product.category"]), DIST.format(a="count(*)"), "degraded", "fan_out_join")
ask("fan-sum", "a sum over the same", M("score", group_by=["product.category"]), DIST.format(a="sum(score)"), "degraded", "fan_out_join")
ask("fan-max", "a maximum is not inflated", M("max_score", group_by=["product.category"]), DIST.format(a="max(score)"))
ask("fan-median", "a median of each order once", M("median_score", group_by=["order_item.line"]),
    "SELECT line, avg(v * 1.0) FROM (SELECT line, score AS v, row_number() OVER (PARTITION BY line ORDER BY score) AS r, count(*) OVER (PARTITION BY line) AS n FROM"
    " (SELECT DISTINCT i.line, o.id, o.score FROM orders AS o LEFT JOIN order_item AS i ON i.order_id = o.id WHERE o.score IS NOT NULL) AS d) AS x WHERE r IN ((n + 1) / 2, (n + 2) / 2) GROUP BY line",
    "degraded", "fan_out_join")
ask("fan-payments", "payments by product category, two joins apart", M("paid", group_by=["product.category"]),
    "SELECT category, sum(amount) FROM (SELECT DISTINCT p.category, y.id, y.amount FROM payment AS y LEFT JOIN orders AS o ON o.id = y.order_id LEFT JOIN order_item AS i ON i.order_id = o.id"
    " LEFT JOIN product AS p ON p.id = i.product_id) AS x GROUP BY category", "degraded", "fan_out_join")
ask("fan-customers", "customers by method of payment", M("customers", group_by=["payment.method"]),
    "SELECT y.method, count(DISTINCT c.id) FROM customer AS c LEFT JOIN orders AS o ON o.customer_id = c.id LEFT JOIN payment AS y ON y.order_id = o.id GROUP BY y.method", "degraded", "fan_out_join")
ask("fan-filter-on-group", "a filter on the entity that is grouped by restricts its rows", M("orders", group_by=["product.category"], filters=[{"column": "order_item.quantity", "op": ">", "value": 2}]),
    "SELECT p.category, count(DISTINCT o.id) FROM orders AS o JOIN order_item AS i ON i.order_id = o.id LEFT JOIN product AS p ON p.id = i.product_id WHERE i.quantity > 2 GROUP BY p.category",
    "degraded", "fan_out_join")

# --- Filters across to-many joins ------------------------------------------------------------------------------------------------------------------------------
SEMI = "SELECT count(*) FROM orders AS o WHERE EXISTS (SELECT 1 FROM order_item AS i LEFT JOIN product AS p ON p.id = i.product_id WHERE i.order_id = o.id AND {w})"
ask("L4-semi", "a filter on the many side inflates nothing", M("orders", filters=[{"column": "order_item.quantity", "op": "gte", "value": 2}]), SEMI.format(w="i.quantity >= 2"))
ask("semi-sum", "a sum under it", M("score", filters=[{"column": "order_item.quantity", "op": "gte", "value": 2}]),
    "SELECT sum(score) FROM orders AS o WHERE EXISTS (SELECT 1 FROM order_item AS i WHERE i.order_id = o.id AND i.quantity >= 2)")
ask("semi-same-row", "two filters on one item must be met by the same item", M("orders", filters=[{"column": "order_item.quantity", "value": 3}, {"column": "product.category", "value": "toys"}]),
    SEMI.format(w="i.quantity = 3 AND p.category = 'toys'"))
ask("semi-two-facts", "filters on two many sides", M("orders", filters=[{"column": "order_item.quantity", "value": 3}, {"column": "payment.method", "value": "card"}]),
    "SELECT count(*) FROM orders AS o WHERE EXISTS (SELECT 1 FROM order_item AS i WHERE i.order_id = o.id AND i.quantity = 3) AND EXISTS (SELECT 1 FROM payment AS y WHERE y.order_id = o.id AND y.method = 'card')")
ask("semi-any-of", "any of leaves on three owners", M("orders", filters=[{"any_of": [{"column": "order.status", "value": "open"}, {"column": "payment.method", "value": "wire"}, {"column": "product.category", "value": "home"}]}]),
    "SELECT count(*) FROM orders AS o WHERE o.status = 'open' OR EXISTS (SELECT 1 FROM payment AS y WHERE y.order_id = o.id AND y.method = 'wire')"
    " OR EXISTS (SELECT 1 FROM order_item AS i JOIN product AS p ON p.id = i.product_id WHERE i.order_id = o.id AND p.category = 'home')")
ask("semi-null", "items whose discount is null", M("orders", filters=[{"column": "order_item.discount", "op": "is_null"}]), SEMI.format(w="i.discount IS NULL"))
ask("semi-customers", "customers with a paid order above a score", M("customers", filters=[{"column": "order.status", "value": "paid"}, {"column": "order.score", "op": ">", "value": 20}]),
    "SELECT count(*) FROM customer AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.status = 'paid' AND o.score > 20)")
ask("semi-far", "customers by a product two to-many joins away", M("customers", filters=[{"column": "product.name", "value": "Lamp"}]),
    "SELECT count(*) FROM customer AS c WHERE EXISTS (SELECT 1 FROM orders AS o JOIN order_item AS i ON i.order_id = o.id JOIN product AS p ON p.id = i.product_id WHERE o.customer_id = c.id AND p.name = 'Lamp')")
ask("semi-group", "grouped by a to-one column", M("orders", group_by=["customer.tier"], filters=[{"column": "payment.amount", "op": "<", "value": 0}]),
    "SELECT c.tier, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE EXISTS (SELECT 1 FROM payment AS y WHERE y.order_id = o.id AND y.amount < 0) GROUP BY c.tier")

# --- Ops ---------------------------------------------------------------------------------------------------------------------------------------------------------
COUNT = "SELECT count(*) FROM orders WHERE {w}"
OPS = [("eq", {"op": "eq", "value": "paid"}, "status = 'paid'"), ("equals-sign", {"op": "=", "value": "paid"}, "status = 'paid'"), ("ne", {"op": "ne", "value": "paid"}, "status <> 'paid' OR status IS NULL"),
       ("bang", {"op": "!=", "value": "open"}, "status <> 'open' OR status IS NULL"), ("in", {"op": "in", "values": ["paid", "open"]}, "status IN ('paid', 'open')"),
       ("in-null", {"op": "in", "values": ["paid", None]}, "status = 'paid' OR status IS NULL"), ("not-in", {"op": "not_in", "values": ["paid", "open"]}, "status NOT IN ('paid', 'open') OR status IS NULL"),
       ("not-in-words", {"op": "not in", "value": ["paid", "open"]}, "status NOT IN ('paid', 'open') OR status IS NULL"), ("is-null", {"op": "is_null"}, "status IS NULL"), ("not-null", {"op": "is not null"}, "status IS NOT NULL"),
       ("eq-null", {"op": "eq", "value": None}, None), ("contains", {"op": "contains", "value": "AI"}, "status LIKE '%ai%'"), ("starts", {"op": "starts_with", "value": "O"}, "status LIKE 'o%'")]
for name, leaf, where in OPS:
    if where:
        ask(f"op-{name}", f"status {leaf}", M("orders", filters=[{"column": "order.status", **leaf}]), COUNT.format(w=where))
for name, leaf, where in [("lt", {"op": "<", "value": 10}, "score < 10"), ("lte", {"op": "lte", "value": 10}, "score <= 10"), ("gt", {"op": ">", "value": "10"}, "score > 10"), ("gte", {"op": ">=", "value": 10}, "score >= 10"),
                          ("between", {"op": "between", "values": [0, 10]}, "score BETWEEN 0 AND 10"), ("negative", {"op": "eq", "value": -2}, "score = -2")]:
    ask(f"op-number-{name}", f"score {leaf}", M("orders", filters=[{"column": "order.score", **leaf}]), COUNT.format(w=where))
ask("op-true", "a boolean", M("orders", filters=[{"column": "order.is_gift", "value": True}]), COUNT.format(w="is_gift"))
ask("op-false-word", "a boolean as a word", M("orders", filters=[{"column": "order.is_gift", "value": "false"}]), COUNT.format(w="NOT is_gift"))
ask("op-wildcard", "a percent sign means itself", M("products", filters=[{"column": "product.name", "op": "contains", "value": "10%"}]), "SELECT count(*) FROM product WHERE name = 'Pen_10%'")
ask("op-underscore", "and so does an underscore", M("products", filters=[{"column": "product.name", "op": "contains", "value": "n_1"}]), "SELECT count(*) FROM product WHERE name = 'Pen_10%'")
ask("op-bang-text", "and an exclamation mark", M("products", filters=[{"column": "product.name", "op": "contains", "value": "k!"}]), "SELECT count(*) FROM product WHERE name = 'Ink!'")
ask("op-date", "a date", M("orders", filters=[{"column": "order.due_on", "op": "gte", "value": "2024-05-01"}]), COUNT.format(w="due_on >= '2024-05-01'"))
ask("op-date-range", "between dates, both ends in", M("payments", filters=[{"column": "payment.paid_on", "op": "between", "values": ["2024-02-01", "2024-02-10"]}]),
    "SELECT count(*) FROM payment WHERE paid_on BETWEEN '2024-02-01' AND '2024-02-10'")
ask("op-decimal", "a decimal", M("payments", filters=[{"column": "payment.amount", "value": "12.50"}]), "SELECT count(*) FROM payment WHERE amount = 12.50")
ask("op-any-of", "one of two", M("orders", filters=[{"any_of": [{"column": "order.status", "value": "paid"}, {"column": "order.score", "op": ">", "value": 30}]}]), COUNT.format(w="status = 'paid' OR score > 30"))
ask("op-and", "both", M("orders", filters=[{"column": "order.status", "value": "paid"}, {"column": "order.score", "op": ">", "value": 10}]), COUNT.format(w="status = 'paid' AND score > 10"))
ask("op-dimension", "a filter on a dimension", M("orders", filters=[{"column": "customer.region", "value": "EU"}]),
    "SELECT count(*) FROM orders AS o JOIN customer AS c ON c.id = o.customer_id WHERE c.country IN ('DE', 'FR')")
ask("op-quote", "a quote in a value is a value", M("products", filters=[{"column": "product.name", "op": "ne", "value": "x' OR '1'='1"}]), "SELECT count(*) FROM product")
ask("empty-filter", "a filter that matches nothing", M("orders", filters=[{"column": "order.status", "value": "payed"}]), [[0]], "empty")
ask("empty-sum", "a sum of nothing", M("score", filters=[{"column": "order.status", "value": "payed"}]), [[None]], "empty")
ask("empty-group", "no groups of nothing", M("orders", group_by=["customer.country"], filters=[{"column": "order.status", "value": "payed"}]), [], "empty")

# --- Several facts --------------------------------------------------------------------------------------------------------------------------------------------------
CHASM = ("WITH k AS (SELECT c.country AS g FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id UNION SELECT c.country FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id) "
         "SELECT k.g, (SELECT count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.country = k.g OR (c.country IS NULL AND k.g IS NULL)), "
         "(SELECT count(*) FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id WHERE c.country = k.g OR (c.country IS NULL AND k.g IS NULL)) FROM k")
ask("chasm", "orders and tickets by country", {"metrics": ["orders", "tickets"], "group_by": ["customer.country"]}, CHASM)
ask("L3-order", "the order of metrics changes nothing", {"metrics": ["tickets", "orders"], "group_by": ["customer.country"]},
    "WITH k AS (SELECT c.country AS g FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id UNION SELECT c.country FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id) "
    "SELECT k.g, (SELECT count(*) FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id WHERE c.country = k.g OR (c.country IS NULL AND k.g IS NULL)), "
    "(SELECT count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.country = k.g OR (c.country IS NULL AND k.g IS NULL)) FROM k")
ask("chasm-total", "totals of five facts", {"metrics": ["orders", "revenue", "paid", "tickets", "visits"]},
    f"SELECT (SELECT count(*) FROM orders), (SELECT sum({REV}) FROM order_item AS i), (SELECT sum(amount) FROM payment), (SELECT count(*) FROM ticket), (SELECT count(*) FROM visit)")
ask("L1-fan-out-both", "revenue and payments of the same orders, neither inflated", {"metrics": ["revenue", "paid"], "group_by": ["order.status"]},
    "WITH k AS (SELECT status AS g FROM orders GROUP BY status) SELECT k.g,"
    f" (SELECT sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id WHERE o.status = k.g OR (o.status IS NULL AND k.g IS NULL)),"
    " (SELECT sum(y.amount) FROM payment AS y LEFT JOIN orders AS o ON o.id = y.order_id WHERE o.status = k.g OR (o.status IS NULL AND k.g IS NULL)) FROM k")
ask("two-of-one-fact", "two metrics of the same rows", {"metrics": ["orders", "paid_orders"], "group_by": ["order.is_gift"]},
    "SELECT is_gift, count(*), sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) FROM orders GROUP BY is_gift")
ask("count-zero", "a count of a group that only another metric has is 0", {"metrics": ["customers", "tickets"], "group_by": ["customer.name"]},
    "SELECT g, sum(a), sum(b) FROM (SELECT name AS g, 1 AS a, 0 AS b FROM customer UNION ALL SELECT c.name, 0, 1 FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id) AS x GROUP BY g")
ask("filter-both", "a filter reaches both facts by their own paths", {"metrics": ["orders", "tickets"], "filters": [{"column": "customer.tier", "value": "gold"}]},
    "SELECT (SELECT count(*) FROM orders AS o JOIN customer AS c ON c.id = o.customer_id WHERE c.tier = 'gold'), (SELECT count(*) FROM ticket AS t JOIN customer AS c ON c.id = t.customer_id WHERE c.tier = 'gold')")

# --- Ratios and expressions -------------------------------------------------------------------------------------------------------------------------------------------
ask("ratio", "a ratio of sums over two facts", M("order_value"), f"SELECT (SELECT sum({REV}) FROM order_item AS i) * 1.0 / (SELECT count(*) FROM orders)")
ask("L5-filtered-ratio", "the numerator keeps its filter", M("paid_share", group_by=["customer.tier"]),
    "SELECT c.tier, sum(CASE WHEN o.status = 'paid' THEN 1.0 ELSE 0 END) / count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.tier")
ask("ratio-zero", "a zero denominator is null", M("revenue_per_toy", group_by=["product.category"]),
    f"SELECT p.category, CASE WHEN p.category = 'toys' THEN sum({REV}) * 1.0 / count(*) END FROM order_item AS i LEFT JOIN product AS p ON p.id = i.product_id GROUP BY p.category")
ask("derived", "a difference of two facts", M("open_amount"), f"SELECT (SELECT sum({REV}) FROM order_item AS i) - (SELECT sum(amount) FROM payment)")
ask("derived-constant", "constants in an expression", M("doubled"), "SELECT 2 * count(*) + 1 FROM orders")
ask("derived-division", "a division is a true one", M("per_hundred"), "SELECT count(*) / 100.0 FROM orders")

# --- Periods ------------------------------------------------------------------------------------------------------------------------------------------------------------
for grain in ("day", "week", "month", "quarter", "year"):
    ask(f"time-{grain}", f"orders by {grain}, in UTC", M("orders", time_grain=grain), f"SELECT {grain}(placed_at), count(*) FROM orders GROUP BY 1")
ask("time-monthly", "a grain in another word", M("orders", time_grain="monthly"), "SELECT month(placed_at), count(*) FROM orders GROUP BY 1")
ask("time-week-53", "the last days of 2023 and 2024 by ISO week", M("orders", time_grain="week", time_range={"start": "2023-12-25", "end": "2025-01-06"}),
    "SELECT week(placed_at), count(*) FROM orders WHERE placed_at >= '2023-12-25' GROUP BY 1")
ask("time-date", "a date column", M("paid", time_grain="month"), "SELECT month(paid_on), sum(amount) FROM payment GROUP BY 1")
ask("time-date-week", "weeks of a date column", M("paid", time_grain="week"), "SELECT week(paid_on), sum(amount) FROM payment GROUP BY 1")
ask("time-naive", "a column without a zone stays as it stands", M("tickets", time_grain="day"), "SELECT day(opened_at), count(*) FROM ticket GROUP BY 1")
ask("time-null", "rows without a time have a null period", M("tickets", time_grain="month", time_dimension="ticket.closed_at"), "SELECT month(closed_at), count(*) FROM ticket GROUP BY 1")
ask("time-inherited", "items by the time of their order, orphans in a null period", M("revenue", time_grain="quarter"),
    f"SELECT quarter(o.placed_at), sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id GROUP BY 1")
ask("time-other", "another column of time", M("orders", time_grain="month", time_dimension="order.due_on"), "SELECT month(due_on), count(*) FROM orders GROUP BY 1")
ask("time-group", "by month and status", M("orders", time_grain="month", group_by=["order.status"]), "SELECT month(placed_at), status, count(*) FROM orders GROUP BY 1, 2")
ask("time-two-facts", "orders and tickets by month", {"metrics": ["orders", "tickets"], "time_grain": "month"},
    "SELECT g, sum(a), sum(b) FROM (SELECT month(placed_at) AS g, 1 AS a, 0 AS b FROM orders UNION ALL SELECT month(opened_at), 0, 1 FROM ticket) AS x GROUP BY g")
ask("range-half-open", "the end is not in the range", M("orders", time_range={"start": "2024-02-29", "end": "2024-03-01"}), "SELECT count(*) FROM orders WHERE day(placed_at) = '2024-02-29'")
ask("range-instant", "a range by the hour", M("orders", time_range={"start": "2023-12-31T23:00:00Z", "end": "2024-01-01T01:00:00Z"}),
    "SELECT count(*) FROM orders WHERE placed_at >= '2023-12-31T23:00:00Z' AND placed_at < '2024-01-01T01:00:00Z'")
ask("range-offset", "an instant with an offset", M("orders", time_range={"start": "2024-01-01T00:00:00+01:00", "end": "2024-01-01T02:00:00+01:00"}),
    "SELECT count(*) FROM orders WHERE placed_at >= '2023-12-31T23:00:00Z' AND placed_at < '2024-01-01T01:00:00Z'")
ask("range-open", "no end", M("orders", time_range={"start": "2024-12-01"}), "SELECT count(*) FROM orders WHERE placed_at >= '2024-12-01'")
ask("range-year", "a year as a range", M("orders", time_range="2023"), "SELECT count(*) FROM orders WHERE placed_at < '2024-01-01'")
ask("range-quarter", "a quarter as a range", M("orders", time_range="2024-Q1"), "SELECT count(*) FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-04-01'")
ask("range-month", "a month as a range", M("orders", time_range={"start": "2024-02"}), "SELECT count(*) FROM orders WHERE month(placed_at) = '2024-02-01'")
ask("range-slash", "an interval", M("orders", time_range="2024-02-01/2024-03-01"), "SELECT count(*) FROM orders WHERE month(placed_at) = '2024-02-01'")
ask("range-date", "on a date column", M("paid", time_range={"start": "2024-02-01", "end": "2024-02-15"}), "SELECT sum(amount) FROM payment WHERE paid_on >= '2024-02-01' AND paid_on < '2024-02-15'")
ask("range-inherited", "on an inherited time", M("revenue", time_range={"start": "2024-01-01", "end": "2025-01-01"}),
    f"SELECT sum({REV}) FROM order_item AS i JOIN orders AS o ON o.id = i.order_id WHERE o.placed_at >= '2024-01-01' AND o.placed_at < '2025-01-01'")
ask("range-empty", "a range without rows", M("orders", time_range={"start": "2020-01-01", "end": "2020-02-01"}), [[0]], "empty")

# --- Zones: what Berlin and New York clocks showed, by offsets written out ------------------------------------------------------------------------------------------------
BERLIN = ("CASE WHEN (placed_at >= '2023-03-26T01:00:00Z' AND placed_at < '2023-10-29T01:00:00Z') OR (placed_at >= '2024-03-31T01:00:00Z' AND placed_at < '2024-10-27T01:00:00Z') THEN 2 ELSE 1 END")
NEWYORK = ("CASE WHEN (placed_at >= '2023-03-12T07:00:00Z' AND placed_at < '2023-11-05T06:00:00Z') OR (placed_at >= '2024-03-10T07:00:00Z' AND placed_at < '2024-11-03T06:00:00Z') THEN -4 ELSE -5 END")
for zone, offset, label in (("Europe/Berlin", BERLIN, "berlin"), ("America/New_York", NEWYORK, "newyork")):
    for grain in ("day", "month", "year"):
        ask(f"zone-{label}-{grain}", f"{grain}s as clocks in {zone} count them", M("orders", time_grain=grain, time_zone=zone), f"SELECT {grain}(hours(placed_at, {offset})), count(*) FROM orders GROUP BY 1")
ask("zone-range", "a range in a zone", M("orders", time_zone="Europe/Berlin", time_range={"start": "2024-01-01", "end": "2024-02-01"}),
    "SELECT count(*) FROM orders WHERE placed_at >= '2023-12-31T23:00:00Z' AND placed_at < '2024-01-31T23:00:00Z'")
ask("zone-hour-utc", "hours in UTC", M("orders", time_grain="hour", time_range={"start": "2023-10-29", "end": "2023-10-30"}),
    [["2023-10-29T00:00:00+00:00", 3], ["2023-10-29T01:00:00+00:00", 3]])
ask("zone-hour-back", "the two hours of a clock set back stay two", M("orders", time_grain="hour", time_zone="Europe/Berlin", time_range={"start": "2023-10-29", "end": "2023-10-30"}),
    [["2023-10-29T02:00:00+02:00", 3], ["2023-10-29T02:00:00+01:00", 3]])
ask("zone-hour-forward", "the hour that a clock jumps over is not there", M("orders", time_grain="hour", time_zone="Europe/Berlin", time_range={"start": "2023-03-26", "end": "2023-03-27"}),
    [["2023-03-26T01:00:00+01:00", 3], ["2023-03-26T03:00:00+02:00", 3]])
ask("zone-own", "times without a zone, written in Berlin, as they stand", M("hours", time_grain="day"), "SELECT day(started_at), sum(hours) FROM shift GROUP BY 1")
ask("zone-own-shown", "and shown in New York", M("hours", time_grain="day", time_zone="America/New_York"),
    [["2024-03-30", 12], ["2024-10-26", 11], ["2024-12-31", 10]])
ask("zone-week-sunday", "weeks that begin on Sunday", M("orders", time_grain="week", week_start="sunday"), "SELECT days(week(days(placed_at, 1)), -1), count(*) FROM orders GROUP BY 1")

# --- Cumulative, earlier values ---------------------------------------------------------------------------------------------------------------------------------------------
def months(first, last):
    """(start, end) of months from first to last as a table p."""
    out, y, m = [], *map(int, first.split("-"))
    while f"{y}-{m:02}" <= last:
        ny, nm = (y + 1, 1) if m == 12 else (y, m + 1)
        out.append(f"SELECT '{y}-{m:02}-01' AS s, '{ny}-{nm:02}-01' AS e")
        y, m = ny, nm
    return "(" + " UNION ALL ".join(out) + ") AS p"


ALL = months("2023-01", "2024-12")
RO = f"(SELECT o.placed_at AS at, {REV} AS v FROM order_item AS i JOIN orders AS o ON o.id = i.order_id) AS x"
ask("L12-cumulative", "revenue since the beginning, every month shown", M("revenue_so_far", time_grain="month"), f"SELECT p.s, (SELECT sum(v) FROM {RO} WHERE x.at < ts(p.e)) FROM {ALL}")
ask("L13-cumulative-range", "the range limits what is shown, not what is added", M("revenue_so_far", time_grain="month", time_range={"start": "2024-01-01", "end": "2024-04-01"}),
    f"SELECT p.s, (SELECT sum(v) FROM {RO} WHERE x.at < ts(p.e)) FROM {months('2024-01', '2024-03')}")
ask("cumulative-total", "without a grain it is the total", M("orders_so_far"), "SELECT count(*) FROM orders")
ask("cumulative-ytd", "the year so far starts anew", M("revenue_ytd", time_grain="month"),
    f"SELECT p.s, (SELECT sum(v) FROM {RO} WHERE x.at < ts(p.e) AND year(x.at) = year(p.s)) FROM {ALL}")
ask("L19-window", "a trailing window of days", M("revenue_28", time_grain="month"), f"SELECT p.s, (SELECT sum(v) FROM {RO} WHERE x.at < ts(p.e) AND x.at >= ts(days(p.e, -28))) FROM {ALL}")
ask("L19-window-filter", "with a filter and a join", M("revenue_28", time_grain="month", filters=[{"column": "customer.tier", "value": "gold"}]),
    f"SELECT p.s, (SELECT sum({REV}) FROM order_item AS i JOIN orders AS o ON o.id = i.order_id JOIN customer AS c ON c.id = o.customer_id WHERE c.tier = 'gold' AND o.placed_at < ts(p.e) AND o.placed_at >= ts(days(p.e, -28))) FROM {ALL}")
ask("window-months", "a trailing window of months", M("orders_3m", time_grain="month", time_range={"start": "2024-01-01", "end": "2024-04-01"}),
    "SELECT '2024-01-01', (SELECT count(*) FROM orders WHERE placed_at >= '2023-11-01' AND placed_at < '2024-02-01') UNION ALL "
    "SELECT '2024-02-01', (SELECT count(*) FROM orders WHERE placed_at >= '2023-12-01' AND placed_at < '2024-03-01') UNION ALL "
    "SELECT '2024-03-01', (SELECT count(*) FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-04-01')")
ask("cumulative-distinct", "distinct customers so far are counted from the rows", M("customers_so_far", time_grain="quarter", time_range="2024"),
    "SELECT '2024-01-01', (SELECT count(DISTINCT customer_id) FROM orders WHERE placed_at < '2024-04-01') UNION ALL SELECT '2024-04-01', (SELECT count(DISTINCT customer_id) FROM orders WHERE placed_at < '2024-07-01') UNION ALL "
    "SELECT '2024-07-01', (SELECT count(DISTINCT customer_id) FROM orders WHERE placed_at < '2024-10-01') UNION ALL SELECT '2024-10-01', (SELECT count(DISTINCT customer_id) FROM orders)")
ask("cumulative-group", "by group and year", M("orders_so_far", time_grain="year", group_by=["order.is_gift"]),
    "SELECT p.s, g.is_gift, (SELECT count(*) FROM orders AS o WHERE o.is_gift = g.is_gift AND o.placed_at < ts(p.e)) FROM (SELECT '2023-01-01' AS s, '2024-01-01' AS e UNION ALL SELECT '2024-01-01', '2025-01-01') AS p"
    " CROSS JOIN (SELECT DISTINCT is_gift FROM orders) AS g")


def shifted(name, value, first="2023-01", last="2024-12"):
    return (f"SELECT p.s, {value} FROM (SELECT p.s, (SELECT count(*) FROM orders AS o WHERE o.placed_at >= ts(p.s) AND o.placed_at < ts(p.e)) AS now, "
            f"(SELECT count(*) FROM orders AS o WHERE {name}) AS before FROM {months(first, last)}) AS p")


YEAR_BEFORE = "month(hours(o.placed_at, 0)) = yearback(p.s)"
MONTH_BEFORE = "month(o.placed_at) = monthback(p.s)"
ask("L20-difference", "against a year before; no month is lost where one side has none", M("orders_growth", time_grain="month"), shifted(YEAR_BEFORE, "now - before"))
ask("pop-previous", "the value of a year before", M("orders_last_year", time_grain="month"), shifted(YEAR_BEFORE, "before"))
ask("pop-ratio", "the ratio, null by zero", M("orders_year_ratio", time_grain="month"), shifted(YEAR_BEFORE, "now * 1.0 / nullif(before, 0)"))
ask("pop-percent", "the change as a fraction", M("orders_change", time_grain="month"), shifted(MONTH_BEFORE, "(now - before) * 1.0 / nullif(before, 0)"))
ask("L11-offset-input", "an input that is moved, the other is not", M("net_of_previous", time_grain="month"), shifted(MONTH_BEFORE, "now - before"))
ask("compare", "compare adds the earlier value and the change", M("orders", time_grain="month", compare={"offset": "1 month"}), shifted(MONTH_BEFORE, "now, before, now - before"))
ask("compare-range", "of a range without a grain", M("orders", time_range={"start": "2024-01-01", "end": "2024-07-01"}, compare="1 year"),
    "SELECT n, b, n - b FROM (SELECT (SELECT count(*) FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-07-01') AS n, (SELECT count(*) FROM orders WHERE placed_at >= '2023-01-01' AND placed_at < '2023-07-01') AS b) AS x")
ask("L17-week-aligned", "whole weeks before, so that weekdays match", M("orders", time_grain="week", time_range={"start": "2024-12-23", "end": "2025-01-06"}, compare={"offset": "1 year", "align": "week"}),
    "SELECT s, n, b, n - b FROM (SELECT '2024-12-23' AS s, (SELECT count(*) FROM orders WHERE week(placed_at) = '2024-12-23') AS n, (SELECT count(*) FROM orders WHERE week(placed_at) = '2023-12-25') AS b"
    " UNION ALL SELECT '2024-12-30', (SELECT count(*) FROM orders WHERE week(placed_at) = '2024-12-30'), (SELECT count(*) FROM orders WHERE week(placed_at) = '2024-01-01')) AS x")
ask("L17-week-calendar", "or the same dates", M("orders", time_grain="week", time_range={"start": "2024-12-30", "end": "2025-01-06"}, compare={"offset": "1 year"}),
    "SELECT '2024-12-30', n, b, n - b FROM (SELECT (SELECT count(*) FROM orders WHERE week(placed_at) = '2024-12-30') AS n, (SELECT count(*) FROM orders WHERE placed_at >= '2023-12-30' AND placed_at < '2024-01-06') AS b) AS x")
ask("L13-leap-day", "a leap day is compared with the last of February", M("orders", time_grain="day", time_range={"start": "2024-02-28", "end": "2024-03-02"}, compare="1 year"),
    [["2024-02-28", 3, 3, 0], ["2024-02-29", 3, 3, 0], ["2024-03-01", 3, 0, 3]])
ask("fill-gaps", "periods without rows on request", M("orders", time_grain="month", time_range="2024", fill_gaps=True), f"SELECT p.s, (SELECT count(*) FROM orders WHERE month(placed_at) = p.s) FROM {months('2024-01', '2024-12')}")
ask("fill-gaps-sum", "their sums are null", M("score", time_grain="month", time_range="2024", fill_gaps=True), f"SELECT p.s, (SELECT sum(score) FROM orders WHERE month(placed_at) = p.s) FROM {months('2024-01', '2024-12')}")

# --- Balances --------------------------------------------------------------------------------------------------------------------------------------------------------------------
LAST = ("SELECT month(b.day), sum(b.amount) FROM balance AS b WHERE b.day = (SELECT {f}(x.day) FROM balance AS x WHERE {same}month(x.day) = month(b.day)) GROUP BY 1")
ask("balance-last", "the last balance of each account in the month", M("closing_balance", time_grain="month"), LAST.format(f="max", same="x.account_id = b.account_id AND "))
ask("balance-first", "the first", M("opening_balance", time_grain="month"), LAST.format(f="min", same="x.account_id = b.account_id AND "))
ask("balance-day", "the last day that any account has", M("last_day_balance", time_grain="month"), LAST.format(f="max", same=""))
ask("balance-total", "without a grain: the last of all", M("closing_balance"), "SELECT sum(b.amount) FROM balance AS b WHERE b.day = (SELECT max(x.day) FROM balance AS x WHERE x.account_id = b.account_id)")
ask("balance-group", "by the owner's name", M("closing_balance", group_by=["customer.name"]),
    "SELECT c.name, sum(b.amount) FROM balance AS b LEFT JOIN customer AS c ON c.id = b.customer_id WHERE b.day = (SELECT max(x.day) FROM balance AS x WHERE x.account_id = b.account_id) GROUP BY c.name")
ask("balance-range", "up to a date", M("closing_balance", time_range={"start": "2024-01-01", "end": "2024-02-15"}),
    "SELECT sum(b.amount) FROM balance AS b WHERE b.day = (SELECT max(x.day) FROM balance AS x WHERE x.account_id = b.account_id AND x.day < '2024-02-15')")

# --- Conversions --------------------------------------------------------------------------------------------------------------------------------------------------------------------
MATCH = ("(SELECT p.id, (SELECT v.id FROM visit AS v WHERE v.customer_id = p.customer_id AND v.at <= p.at{w} ORDER BY v.at DESC, v.id DESC LIMIT 1) AS visit_id FROM purchase AS p) AS m")
WEEK = " AND days_between(v.at, p.at) < 7"
ask("conversion-count", "purchases within seven days of a visit, each once", M("conversions"), f"SELECT count(visit_id) FROM {MATCH.format(w=WEEK)}")
ask("conversion-ever", "without a bound", M("conversions_ever"), f"SELECT count(visit_id) FROM {MATCH.format(w='')}")
ask("conversion-rate", "over all visits", M("conversion"), f"SELECT count(visit_id) * 1.0 / (SELECT count(*) FROM visit) FROM {MATCH.format(w=WEEK)}")
ask("conversion-group", "in the group of the visit", M("conversions", group_by=["visit.channel"]),
    f"SELECT v.channel, count(m.visit_id) FROM visit AS v LEFT JOIN {MATCH.format(w=WEEK)} ON m.visit_id = v.id GROUP BY v.channel")
ask("conversion-month", "in the month of the visit", M("conversion", time_grain="month"),
    f"SELECT month(v.at), count(m.visit_id) * 1.0 / count(DISTINCT v.id) FROM visit AS v LEFT JOIN {MATCH.format(w=WEEK)} ON m.visit_id = v.id GROUP BY 1")

# --- Filters at the right stage, expressions over joins --------------------------------------------------------------------------------------------------------------------------
ask("L15-filter-before-sum", "a metric's filter and the question's, both before the sum", M("live_revenue", group_by=["customer.tier"], filters=[{"column": "order.is_gift", "value": True}]),
    "SELECT c.tier, sum(i.quantity * i.price) FROM order_item AS i JOIN orders AS o ON o.id = i.order_id LEFT JOIN customer AS c ON c.id = o.customer_id WHERE o.status <> 'cancelled' AND i.quantity > 1 AND o.is_gift GROUP BY c.tier")
ask("L15-filter-in-window", "a filter of the question inside a cumulative metric", M("orders_so_far", time_grain="year", filters=[{"column": "order.status", "value": "paid"}]),
    "SELECT '2023-01-01', (SELECT count(*) FROM orders WHERE status = 'paid' AND placed_at < '2024-01-01') UNION ALL SELECT '2024-01-01', (SELECT count(*) FROM orders WHERE status = 'paid')")
ask("L15-filter-in-offset", "and in both sides of a comparison", M("orders", time_grain="year", time_range="2024", compare="1 year", filters=[{"column": "order.status", "value": "paid"}]),
    "SELECT '2024-01-01', n, b, n - b FROM (SELECT (SELECT count(*) FROM orders WHERE status = 'paid' AND placed_at >= '2024-01-01') AS n, (SELECT count(*) FROM orders WHERE status = 'paid' AND placed_at < '2024-01-01') AS b) AS x")
ask("L15-null-not-filtered", "a metric without a filter keeps rows whose column is null", {"metrics": ["orders", "paid_orders", "scored"]},
    "SELECT count(*), sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END), count(score) FROM orders")
ask("L24-dimension-far", "a named expression two joins away", M("revenue", group_by=["customer.region"]),
    f"SELECT CASE WHEN c.country IN ('DE', 'FR') THEN 'EU' WHEN c.country IS NULL THEN NULL ELSE 'other' END, sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id"
    " LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY 1")
ask("L24-dimension-filter", "a filter on one, and a group by the column beneath it", M("units", group_by=["customer.country"], filters=[{"column": "customer.region", "op": "ne", "value": "EU"}]),
    "SELECT c.country, sum(i.quantity) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id LEFT JOIN customer AS c ON c.id = o.customer_id"
    " WHERE c.country NOT IN ('DE', 'FR') OR c.country IS NULL GROUP BY c.country")
ask("L24-same-column-name", "columns of one name in three entities do not mix", M("orders", group_by=["customer.country", "billing.country", "customer.name"], limit=500, order_by=["customer.name"]),
    "SELECT c.country, a.country, c.name, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id LEFT JOIN address AS a ON a.id = o.billing_id GROUP BY c.country, a.country, c.name")

# --- Order, limit, having --------------------------------------------------------------------------------------------------------------------------------------------------------
ask("order-top", "the three countries with most orders", M("orders", group_by=["customer.country"], order_by=[{"column": "orders", "direction": "desc"}], limit=3),
    "SELECT c.country, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.country ORDER BY 2 DESC, CASE WHEN c.country IS NULL THEN 1 ELSE 0 END, 1 LIMIT 3", ordered=True)
ask("order-string", "an order in one string", M("orders", group_by=["order.status"], order_by="orders desc"),
    "SELECT status, count(*) FROM orders GROUP BY status ORDER BY 2 DESC, CASE WHEN status IS NULL THEN 1 ELSE 0 END, 1", ordered=True)
ask("order-default", "by time, then groups, nulls last", M("orders", time_grain="year", group_by=["order.is_gift"]), "SELECT year(placed_at), is_gift, count(*) FROM orders GROUP BY 1, 2 ORDER BY 1, 2", ordered=True)
ask("limit-no-order", "a limit without an order is said", M("orders", group_by=["order.is_gift"], limit=5), "SELECT is_gift, count(*) FROM orders GROUP BY is_gift", "degraded", "missing_order_by_with_limit")
ask("having", "groups of more than ten", M("orders", group_by=["order.status"], having=[{"metric": "orders", "op": ">", "value": 10}]), "SELECT status, count(*) FROM orders GROUP BY status HAVING count(*) > 10")
ask("having-ratio", "by a ratio", M("paid_share", group_by=["customer.tier"], having=[{"metric": "paid_share", "op": ">=", "value": 0.4}]),
    "SELECT c.tier, sum(CASE WHEN o.status = 'paid' THEN 1.0 ELSE 0 END) / count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY c.tier"
    " HAVING sum(CASE WHEN o.status = 'paid' THEN 1.0 ELSE 0 END) / count(*) >= 0.4")
ask("no-time", "a grain where there is no time", M("employees", time_grain="month"), "SELECT count(*) FROM employee", "degraded", "time_dimension_unavailable")

# --- Refusals ------------------------------------------------------------------------------------------------------------------------------------------------------------------------
refuse("no-metric", "a typo in the metric", M("revenu"), "unknown_metric")
refuse("no-metrics", "one of two", {"metrics": ["orders", "tickts"]}, "unknown_metric")
refuse("L8-no-column", "a group that is not there is never dropped", M("orders", group_by=["customer.contry"]), "unknown_group_by_column")
refuse("no-entity", "an entity that is not there", M("orders", group_by=["custmer.country"]), "unknown_name")
refuse("no-filter", "a filter that is not there", M("orders", filters=[{"column": "customer.contry", "value": "DE"}]), "unknown_filter_column")
refuse("no-order", "an order that is not there", M("orders", order_by=["no_such"]), "unknown_order_by_column")
refuse("no-order-group", "an order by a column that is no group", M("orders", group_by=["order.status"], order_by=["customer.country"]), "unknown_order_by_column")
refuse("no-having", "a condition on a metric that is not asked", M("orders", having=[{"metric": "revenue", "op": ">", "value": 1}]), "unknown_metric")
refuse("L21-unreachable", "an entity that nothing leads to", M("odd_sum", group_by=["customer.country"]), "unreachable_entity")
refuse("unreachable-filter", "the same in a filter", M("odd_sum", filters=[{"column": "customer.country", "value": "DE"}]), "unreachable_entity")
refuse("L16-parallel", "two joins are as short", M("orders", group_by=["address.city"]), "ambiguous_join")
refuse("parallel-filter", "in a filter too", M("orders", filters=[{"column": "address.city", "value": "Paris"}]), "ambiguous_join")
refuse("parallel-people", "two roles of employees", M("orders", group_by=["employee.name"]), "ambiguous_join")
refuse("parallel-far", "and one join further", M("items", group_by=["address.city"]), "ambiguous_join")
refuse("no-via", "a join that is not there", M("orders", group_by=["address.city"], via=["order_biling"]), "unknown_via_join")
refuse("via-elsewhere", "a join that is on no path", M("orders", group_by=["customer.country"], via=["employee_manager"]), "unknown_via_join")
refuse("grain-word", "a word that is no grain", M("orders", time_grain="fortnight"), "invalid_time_grain")
refuse("grain-hour-of-date", "hours of a date", M("paid", time_grain="hour"), "grain_mismatch")
refuse("grain-week-year", "weeks before, by the month", M("orders", time_grain="month", compare={"offset": "1 year", "align": "week"}), "grain_mismatch")
refuse("compare-nothing", "an earlier value without a period", M("orders", compare="1 year"), "grain_mismatch")
refuse("two-times", "two columns of time", M("tickets_untimed", time_grain="month"), "ambiguous_time_dimension")
refuse("two-times-range", "for a range too", M("tickets_untimed", time_range="last_year"), "ambiguous_time_dimension")
refuse("range-no-time", "a range where there is no time", M("employees", time_range="last_year"), "unknown_filter_column")
refuse("zone", "a zone that is not there", M("orders", time_zone="Europe/Berln"), "malformed_name")
refuse("range-word", "a range that is none", M("orders", time_range="last_mnth"), "malformed_name")
refuse("range-backwards", "an end before the start", M("orders", time_range={"start": "2024-03-01", "end": "2024-02-01"}), "malformed_name")
refuse("op-word", "an op that is none", M("orders", filters=[{"column": "order.status", "op": "equalz", "value": "x"}]), "malformed_name")
refuse("op-no-value", "an op without its value", M("orders", filters=[{"column": "order.status", "op": "eq"}]), "malformed_name")
refuse("op-text-for-number", "a text for a number", M("orders", filters=[{"column": "order.score", "op": ">", "value": "many"}]), "malformed_name")
refuse("op-between-one", "between takes two", M("orders", filters=[{"column": "order.score", "op": "between", "values": [1]}]), "malformed_name")
refuse("column-is-entity", "an entity in a column's place", M("orders", group_by=["customer"]), "malformed_name")
refuse("column-in-several", "a column alone that several entities have", M("orders", group_by=["country"]), "malformed_name")
refuse("week-start", "a week that starts on no day", M("orders", time_grain="week", week_start="someday"), "malformed_name")
refuse("direction", "a direction that is none", M("orders", order_by=[{"column": "orders", "direction": "sideways"}]), "malformed_name")
refuse("offset", "an offset that is none", M("orders", time_grain="month", compare="soon"), "malformed_name")
refuse("time-dimension", "a column of time that is not there", M("orders", time_grain="month", time_dimension="order.placed"), "unknown_group_by_column")
refuse("time-dimension-number", "a number as time", M("orders", time_grain="month", time_dimension="order.score"), "unknown_group_by_column")
refuse("time-dimension-many", "time across a to-many join", M("customers", time_grain="month", time_dimension="order.placed_at"), "unreachable_entity")

# --- Paths through different entities, events on their own -----------------------------------------------------------------------------------------------------------------------
refuse("paths-apart", "a country by way of the customer or of an address", M("orders", group_by=["country.name"]), "ambiguous_path")
refuse("paths-apart-filter", "in a filter too", M("orders", filters=[{"column": "country.name", "value": "Germany"}]), "ambiguous_path")
ask("paths-via", "one of the paths, by a join on it", M("orders", group_by=["country.name"], via=["order_customer"]),
    "SELECT k.name, count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id LEFT JOIN country AS k ON k.code = c.country GROUP BY k.name")
ask("null-key-meets-no-null", "a customer without a country is not of the country whose code is null", M("tickets", group_by=["country.name"]),
    "SELECT k.name, count(*) FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id LEFT JOIN country AS k ON k.code = c.country GROUP BY k.name")
ask("purchases-month", "events by month", M("purchases", time_grain="month"), "SELECT month(at), count(*) FROM purchase GROUP BY 1")
ask("purchases-tier", "their amounts by the buyer's tier", M("purchase_sum", group_by=["customer.tier"]),
    "SELECT c.tier, sum(p.amount) FROM purchase AS p LEFT JOIN customer AS c ON c.id = p.customer_id GROUP BY c.tier")

# --- Several traps in one question ------------------------------------------------------------------------------------------------------------------------------
ask("mix-null-and-bridge", "a bridge two joins away, among the rows of one status", M("units", group_by=["tag.name"], filters=[{"column": "order.status", "value": "paid"}]),
    "SELECT t.name, sum(q) FROM (SELECT DISTINCT i.order_id, i.line, i.quantity AS q, pt.tag_id FROM order_item AS i JOIN orders AS o ON o.id = i.order_id"
    " LEFT JOIN product AS p ON p.id = i.product_id LEFT JOIN product_tag AS pt ON pt.product_id = p.id WHERE o.status = 'paid') AS x LEFT JOIN tag AS t ON t.id = x.tag_id GROUP BY t.name",
    "degraded", "fan_out_join")
ask("mix-roles-and-hop", "a role's city and the country of the customer, orphans of both", M("score", group_by=["shipping.city", "customer.country"]),
    "SELECT a.city, c.country, sum(o.score) FROM orders AS o LEFT JOIN address AS a ON a.id = o.shipping_id LEFT JOIN customer AS c ON c.id = o.customer_id GROUP BY a.city, c.country")
ask("mix-role-two-filters", "both roles in filters; an order without that address is not in Germany either", M("orders", filters=[{"column": "billing.country", "value": "DE"}, {"column": "shipping.country", "op": "ne", "value": "DE"}]),
    "SELECT count(*) FROM orders AS o JOIN address AS b ON b.id = o.billing_id LEFT JOIN address AS s ON s.id = o.shipping_id WHERE b.country = 'DE' AND (s.country IS NULL OR s.country <> 'DE')")
ask("mix-two-semi", "two filters over one to-many join need not meet in one row of it, but here they do", M("orders", filters=[{"column": "order_item.quantity", "op": ">", "value": 2}, {"column": "payment.method", "value": "card"}]),
    "SELECT count(*) FROM orders AS o WHERE EXISTS (SELECT 1 FROM order_item AS i WHERE i.order_id = o.id AND i.quantity > 2) AND EXISTS (SELECT 1 FROM payment AS y WHERE y.order_id = o.id AND y.method = 'card')")
ask("mix-semi-far", "customers with a payment in cash", M("customers", filters=[{"column": "payment.method", "value": "cash"}]),
    "SELECT count(*) FROM customer AS c WHERE EXISTS (SELECT 1 FROM orders AS o JOIN payment AS y ON y.order_id = o.id WHERE o.customer_id = c.id AND y.method = 'cash')")
ask("mix-semi-group", "and by tier, none of them lost", M("customers", group_by=["customer.tier"], filters=[{"column": "order.is_gift", "value": True}]),
    "SELECT c.tier, count(*) FROM customer AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.is_gift) GROUP BY c.tier")
ask("mix-chasm-three", "three facts by tier, each at its own grain", {"metrics": ["orders", "tickets", "visits"], "group_by": ["customer.tier"]},
    "SELECT k.tier, (SELECT count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.tier = k.tier OR (c.tier IS NULL AND k.tier IS NULL)),"
    " (SELECT count(*) FROM ticket AS t LEFT JOIN customer AS c ON c.id = t.customer_id WHERE c.tier = k.tier OR (c.tier IS NULL AND k.tier IS NULL)),"
    " (SELECT count(*) FROM visit AS v LEFT JOIN customer AS c ON c.id = v.customer_id WHERE c.tier = k.tier OR (c.tier IS NULL AND k.tier IS NULL))"
    " FROM (SELECT DISTINCT tier FROM customer) AS k")
ask("mix-chasm-month", "two facts with times of their own by month", {"metrics": ["visits", "purchases"], "time_grain": "month"},
    "SELECT p.m, (SELECT count(*) FROM visit AS v WHERE month(v.at) = p.m), (SELECT count(*) FROM purchase AS b WHERE month(b.at) = p.m)"
    " FROM (SELECT month(at) AS m FROM visit UNION SELECT month(at) FROM purchase) AS p")
ask("mix-not-in-join", "what has no tier is of none of these tiers", M("revenue", filters=[{"column": "customer.tier", "op": "not_in", "values": ["gold", "silver"]}]),
    f"SELECT sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.tier IS NULL OR c.tier = 'bronze'")
ask("mix-any-of-nulls", "one or the other, over a join and a null", M("orders", filters=[{"any_of": [{"column": "customer.tier", "op": "is_null"}, {"column": "order.status", "value": "cancelled"}]}]),
    "SELECT count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.tier IS NULL OR o.status = 'cancelled'")
ask("mix-ratio-groups", "a ratio of sums, not a sum of ratios; null by zero", M("order_value", group_by=["customer.tier"]),
    f"SELECT k.tier, (SELECT sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.tier = k.tier OR (c.tier IS NULL AND k.tier IS NULL)) * 1.0"
    " / nullif((SELECT count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.tier = k.tier OR (c.tier IS NULL AND k.tier IS NULL)), 0) FROM (SELECT DISTINCT tier FROM customer) AS k")
ask("mix-having-null", "a condition on the result leaves out groups without one", M("score", group_by=["order.status"], having=[{"metric": "score", "op": ">", "value": 100}]),
    "SELECT status, sum(score) FROM orders GROUP BY status HAVING sum(score) > 100")
ask("mix-avg-month", "an average by month of the year 2024 in UTC", M("avg_score", time_grain="month", time_range="2024"),
    "SELECT month(placed_at), avg(score * 1.0) FROM orders WHERE year(placed_at) = '2024-01-01' GROUP BY 1")
ask("mix-time-group", "years and a group of another entity; items of orders that are not there have no year", M("revenue", time_grain="year", group_by=["product.category"]),
    f"SELECT year(o.placed_at), p.category, sum({REV}) FROM order_item AS i LEFT JOIN orders AS o ON o.id = i.order_id LEFT JOIN product AS p ON p.id = i.product_id GROUP BY 1, p.category")
ask("mix-quarter-distinct", "distinct customers of a quarter are not those of its months added up", M("ordering_customers", time_grain="quarter"),
    "SELECT quarter(placed_at), count(DISTINCT customer_id) FROM orders WHERE placed_at IS NOT NULL GROUP BY 1")
ask("mix-manager-department", "on from a self-join's role", M("employees", group_by=["manager.name", "department.name"], via=["department.name=employee_department"]),
    "SELECT m.name, d.name, count(*) FROM employee AS e LEFT JOIN employee AS m ON m.id = e.manager_id LEFT JOIN department AS d ON d.id = e.department_id GROUP BY m.name, d.name")
ask("mix-escape", "a percent sign and an underscore are what they are", M("units", filters=[{"column": "product.name", "op": "contains", "value": "_10%"}]),
    "SELECT sum(i.quantity) FROM order_item AS i JOIN product AS p ON p.id = i.product_id WHERE p.name = 'Pen_10%'")
ask("mix-fan-two-facts", "payments and orders by a customer's country, neither counted twice", {"metrics": ["paid", "orders"], "group_by": ["customer.country"]},
    "SELECT k.country, (SELECT sum(y.amount) FROM payment AS y LEFT JOIN orders AS o ON o.id = y.order_id LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.country = k.country OR (c.country IS NULL AND k.country IS NULL)),"
    " (SELECT count(*) FROM orders AS o LEFT JOIN customer AS c ON c.id = o.customer_id WHERE c.country = k.country OR (c.country IS NULL AND k.country IS NULL))"
    " FROM (SELECT DISTINCT country FROM customer) AS k")
ask("mix-min-bridge", "a least value across a bridge is not inflated", M("min_score", group_by=["tag.name"]),
    "SELECT t.name, min(o.score) FROM orders AS o LEFT JOIN order_item AS i ON i.order_id = o.id LEFT JOIN product AS p ON p.id = i.product_id"
    " LEFT JOIN product_tag AS pt ON pt.product_id = p.id LEFT JOIN tag AS t ON t.id = pt.tag_id GROUP BY t.name")
ask("mix-top", "the most, with ties in order of the name", M("orders", group_by=["customer.country"], order_by=[{"column": "orders", "direction": "desc"}, {"column": "customer.country", "direction": "asc"}], filters=[{"column": "customer.country", "op": "is_not_null"}], limit=3),
    "SELECT c.country, count(*) FROM orders AS o JOIN customer AS c ON c.id = o.customer_id WHERE c.country IS NOT NULL GROUP BY c.country ORDER BY count(*) DESC, c.country LIMIT 3", ordered=True)
