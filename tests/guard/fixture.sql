-- The tables that the corpora of this folder speak of.
CREATE TABLE account (id integer PRIMARY KEY, email varchar(120), phone varchar(40), national_id varchar(20), plan varchar(20), country varchar(2));
CREATE TABLE payment (id integer PRIMARY KEY, account_id integer REFERENCES account (id), amount decimal(12, 2), card_number varchar(20), paid_at timestamp);
CREATE TABLE note (id integer PRIMARY KEY, account_id integer REFERENCES account (id), body text);
