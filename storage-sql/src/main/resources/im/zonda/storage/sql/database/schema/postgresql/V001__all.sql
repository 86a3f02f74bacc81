-- The owners of all that follows: accounts, and rooms (those have a row in room too). Ids are never
-- used twice. Texts are compared and sorted by their bytes (collate "C").
create table account (
  id bigint generated always as identity primary key,
  domain text collate "C" not null,
  local text collate "C" not null,
  created bigint not null, -- microseconds since 1970
  archived_from bigint not null default 0, -- no archived messages with ids below this
  unique (domain, local)
);

create table scram_keys (
  account_id bigint not null references account (id) on delete cascade,
  hash text collate "C" not null,
  salt bytea not null,
  iterations integer not null,
  stored_key bytea not null,
  server_key bytea not null
);

create index scram_keys_account on scram_keys (account_id);

create table roster_version (
  owner_id bigint primary key references account (id) on delete cascade,
  version bigint not null
);

-- An address, a name of a store and a key may be longer than an index entry can be, so these
-- tables have no unique key; the one connection that writes changes a row or inserts it.
create table roster_item (
  owner_id bigint not null references account (id) on delete cascade,
  jid text collate "C" not null,
  name text,
  subscription text not null,
  ask integer not null,
  approved integer not null,
  listed integer not null,
  groups text not null,
  request bytea
);

create index roster_item_owner on roster_item (owner_id);

create table key_value (
  owner_id bigint not null references account (id) on delete cascade,
  store text collate "C" not null,
  "key" text collate "C" not null,
  value bytea not null
);

create index key_value_owner on key_value (owner_id);

-- A message between two accounts is one row. The sender, if it has the message in its archive in the
-- row of the receiver; and its part, after the message of either has been replaced.
-- No foreign key and no index by owner on all rows: either would cost more than the row itself.
create table message (
  id bigint primary key, -- microseconds since 1970
  owner_id bigint not null,
  peer text collate "C" not null,
  waiting integer not null,
  archive integer not null,
  stanza bytea not null,
  checksum bigint not null, -- CRC-32C of all that does not change
  sender_id bigint,
  sender_peer text collate "C",
  sender_stanza bytea,
  sender_checksum bigint
);

create index message_waiting on message (owner_id, id) where waiting = 1;

-- Owners that are gone, whose archived messages have not all been erased yet.
create table removed_owner (
  owner_id bigint primary key,
  erased_to bigint not null -- messages up to this id are erased; -1: the index may have some
);

-- One row: no id below this one is given out again.
create table message_id (
  one integer primary key check (one = 1),
  next bigint not null
);

insert into message_id (one, next) values (1, 0);

-- Parts of the archive's index (decision 0015). A slice is complete if its level is 0 or higher.
create table archive_slice (
  slice bigint primary key,
  level integer not null, -- how often merged; -1: being written; -2: to be deleted
  first_id bigint not null,
  last_id bigint not null,
  entries bigint not null,
  removed bigint not null -- about how many entries are of messages that have been removed
);

-- Entries of a slice, sorted by key and id and packed; key and id of the last one. Slice 0 has
-- entries that were late, one a row.
create table archive_chunk (
  slice bigint not null,
  last_key bigint not null,
  last_id bigint not null,
  data bytea not null,
  primary key (slice, last_key, last_id)
);

-- Words of archived entries, each with its owner's number before it.
create table archive_text (
  id bigint primary key,
  words tsvector not null
);

create index archive_text_words on archive_text using gin (words);

-- One row: archived entries up to these ids are in the tables above.
create table archive_mark (
  one integer primary key check (one = 1),
  indexed_to bigint not null,
  text_to bigint not null
);

insert into archive_mark (one, indexed_to, text_to) values (1, 0, 0);

-- Rooms; each is an owner with a row in account.
create table room (
  owner_id bigint primary key references account (id) on delete cascade,
  domain text collate "C" not null,
  local text collate "C" not null,
  created bigint not null, -- microseconds since 1970
  persistent integer not null,
  listed integer not null,
  name text not null,
  settings text not null,
  folded text collate "C" not null, -- the local part and the name as they are searched
  creator text collate "C", -- bare address, null where it is not known
  unique (domain, local)
);

create index room_listed on room (domain, local) where listed = 1;

create index room_temporary on room (domain, local) where persistent = 0;

create index room_creator on room (creator);

create table room_affiliation (
  owner_id bigint not null references account (id) on delete cascade,
  jid text collate "C" not null,
  affiliation text not null,
  nick text,
  reason text,
  primary key (owner_id, jid)
);
