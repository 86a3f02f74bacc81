-- The owners of all that follows: accounts, and rooms (those have a row in room too). Ids are never
-- used twice (autoincrement): what is left of a removed owner cannot become visible to a new one of
-- the same name.
create table account (
  id integer primary key autoincrement,
  domain text not null,
  local text not null,
  created integer not null, -- microseconds since 1970
  unique (domain, local)
) strict;

create table scram_keys (
  account_id integer not null references account (id) on delete cascade,
  hash text not null,
  salt blob not null,
  iterations integer not null,
  stored_key blob not null,
  server_key blob not null,
  primary key (account_id, hash)
) strict, without rowid;

create table roster_version (
  owner_id integer primary key references account (id) on delete cascade,
  version integer not null
) strict;

create table roster_item (
  owner_id integer not null references account (id) on delete cascade,
  jid text not null,
  name text,
  subscription text not null,
  ask integer not null,
  approved integer not null,
  listed integer not null,
  groups text not null,
  request blob,
  primary key (owner_id, jid)
) strict, without rowid;

create table key_value (
  owner_id integer not null references account (id) on delete cascade,
  store text not null,
  key text not null,
  value blob not null,
  primary key (owner_id, store, key)
) strict;

-- Rows come in the order of their ids and so fill page after page. No foreign key and no index by
-- owner on all rows: either would cost more than the row itself (decision 0003).
create table message (
  id integer primary key, -- microseconds since 1970
  owner_id integer not null,
  peer text not null,
  waiting integer not null,
  archive integer not null,
  stanza blob not null,
  checksum integer not null -- CRC-32C of all that does not change
) strict;

create index message_waiting on message (owner_id, id) where waiting = 1;

-- Owners that are gone, whose archived messages have not all been erased yet.
create table removed_owner (
  owner_id integer primary key,
  erased_to integer not null -- messages up to this id are erased; -1: the index may have some
) strict;

-- One row: no id below this one is given out again.
create table message_id (
  one integer primary key check (one = 1),
  next integer not null
) strict;

insert into message_id (one, next) values (1, 0);
