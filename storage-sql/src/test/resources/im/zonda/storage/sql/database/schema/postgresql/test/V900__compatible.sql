-- compatible
-- A column and an index that the version before does not know.
alter table account add column fruit integer not null default 0;

create index account_fruit on account (fruit);
