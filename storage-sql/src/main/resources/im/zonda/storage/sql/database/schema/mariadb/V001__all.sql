-- The owners of all that follows: accounts, and rooms (those have a row in room too). Ids are never
-- used twice. Texts are compared and sorted by their bytes: addresses are binary,
-- which also keeps their index entries short, and the other texts have a collation without padding.
-- A statement that creates a table ends the transaction, so each can be executed again.
create table if not exists account (
  id bigint auto_increment primary key,
  domain varbinary(1023) not null,
  local varbinary(1023) not null,
  created bigint not null, -- microseconds since 1970
  archived_from bigint not null default 0, -- no archived messages with ids below this
  unique (domain, local)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists scram_keys (
  account_id bigint not null references account (id) on delete cascade,
  hash longtext not null,
  salt longblob not null,
  iterations integer not null,
  stored_key longblob not null,
  server_key longblob not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists scram_keys_account on scram_keys (account_id);

create table if not exists roster_version (
  owner_id bigint primary key references account (id) on delete cascade,
  version bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- An address, a name of a store and a key may be longer than an index entry can be, so these
-- tables have no unique key; the one connection that writes changes a row or inserts it.
create table if not exists roster_item (
  owner_id bigint not null references account (id) on delete cascade,
  jid varbinary(3071) not null,
  name longtext,
  subscription longtext not null,
  ask integer not null,
  approved integer not null,
  listed integer not null,
  groups longtext not null,
  request longblob
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists roster_item_owner on roster_item (owner_id, jid(255));

create table if not exists key_value (
  owner_id bigint not null references account (id) on delete cascade,
  store longtext not null,
  "key" longtext not null,
  value longblob not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists key_value_owner on key_value (owner_id, store(64), "key"(128));

-- A message between two accounts is one row. The sender, if it has the message in its archive in the
-- row of the receiver; and its part, after the message of either has been replaced.
-- No foreign key and no index by owner on all rows: either would cost more than the row itself.
create table if not exists message (
  id bigint primary key, -- microseconds since 1970
  owner_id bigint not null,
  peer varbinary(3071) not null,
  waiting integer not null,
  archive integer not null,
  stanza longblob not null,
  checksum bigint not null, -- CRC-32C of all that does not change
  sender_id bigint,
  sender_peer varbinary(3071),
  sender_stanza longblob,
  sender_checksum bigint
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists message_waiting on message (waiting, owner_id, id);

-- Owners that are gone, whose archived messages have not all been erased yet.
create table if not exists removed_owner (
  owner_id bigint primary key,
  erased_to bigint not null -- messages up to this id are erased; -1: the index may have some
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- One row: no id below this one is given out again.
create table if not exists message_id (
  one integer primary key check (one = 1),
  next bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

insert ignore into message_id (one, next) values (1, 0);

-- Parts of the archive's index (decision 0015). A slice is complete if its level is 0 or higher.
create table if not exists archive_slice (
  slice bigint primary key,
  level integer not null, -- how often merged; -1: being written; -2: to be deleted
  first_id bigint not null,
  last_id bigint not null,
  entries bigint not null,
  removed bigint not null -- about how many entries are of messages that have been removed
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Entries of a slice, sorted by key and id and packed; key and id of the last one. Slice 0 has
-- entries that were late, one a row.
create table if not exists archive_chunk (
  slice bigint not null,
  last_key bigint not null,
  last_id bigint not null,
  data longblob not null,
  primary key (slice, last_key, last_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Words of archived entries, each with its owner's number before it.
create table if not exists archive_text (
  word varbinary(200) not null,
  id bigint not null,
  primary key (word, id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists archive_text_id on archive_text (id);

-- One row: archived entries up to these ids are in the tables above.
create table if not exists archive_mark (
  one integer primary key check (one = 1),
  indexed_to bigint not null,
  text_to bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

insert ignore into archive_mark (one, indexed_to, text_to) values (1, 0, 0);

-- Rooms; each is an owner with a row in account.
create table if not exists room (
  owner_id bigint primary key references account (id) on delete cascade,
  domain varbinary(1023) not null,
  local varbinary(1023) not null,
  created bigint not null, -- microseconds since 1970
  persistent integer not null,
  listed integer not null,
  name longtext not null,
  settings longtext not null,
  folded longtext not null, -- the local part and the name as they are searched
  creator varbinary(2047), -- bare address, null where it is not known
  unique (domain, local)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists room_listed on room (listed, domain, local);

create index if not exists room_temporary on room (persistent, domain, local);

create index if not exists room_creator on room (creator);

create table if not exists room_affiliation (
  owner_id bigint not null references account (id) on delete cascade,
  jid varbinary(2047) not null,
  affiliation longtext not null,
  nick longtext,
  reason longtext,
  primary key (owner_id, jid)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
