-- compatible
-- A column and an index that the version before does not know.
alter table account add column if not exists fruit integer not null default 0;

create index if not exists account_fruit on account (fruit);
