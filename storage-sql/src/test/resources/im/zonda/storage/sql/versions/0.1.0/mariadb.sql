create table zonda_schema (version integer not null, generation bigint not null, oldest integer not null default 0);
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
-- The row of each cluster that uses the database: which processes are its members.
create table if not exists cluster_row (
  name varbinary(255) primary key,
  epoch bigint not null,
  members longtext not null, -- name and incarnation of each, such as `a 7,b 9`
  incarnations longtext not null, -- the highest of each node, in the same form
  renewals bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
-- The nodes of a cluster that have ever used the database; each keeps its number.
create table if not exists cluster_node (
  number integer primary key, -- 0 to 63; the remainder of the ids that the node gives out
  name varbinary(1023) not null unique,
  generation bigint not null, -- how often a process of the node has opened the database
  next bigint not null, -- the node gives out no id below this one again
  removals bigint not null -- how many accounts the node has removed
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
-- Which stanza of the cluster an entry comes from, a hash; null without a cluster. A stanza that is sent
-- again after the death of a node is looked up by it, among the newest ids.
alter table message add column if not exists origin bigint;
-- The member that the node's process is, 0 before it is one; the cluster has gone on without members up
-- to `fenced`, and they must not write.
alter table cluster_node add column if not exists incarnation bigint not null default 0;
alter table cluster_node add column if not exists fenced bigint not null default 0;
-- What the nodes of a cluster have in common.
create table if not exists cluster_setting (
  id integer primary key,
  name varbinary(255) not null unique,
  value longtext not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
-- Where the nodes that run, or that were killed, can be reached by others.
create table if not exists cluster_address (
  cluster varbinary(255) not null,
  node varbinary(255) not null,
  address longtext not null, -- host and port, such as `192.0.2.1:7800`
  primary key (cluster, node)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
-- Publish-subscribe nodes. The owner is an account, or the domain of a service, whose row in account
-- has the local part '/'.
create table if not exists pubsub_node (
  id bigint primary key, -- from the clock of the message ids, so no other database issues it
  owner_id bigint not null references account (id) on delete cascade,
  name varbinary(1023) not null,
  creator varbinary(2047) not null,
  created bigint not null, -- microseconds since 1970
  settings longtext not null,
  items integer not null, -- how many rows pubsub_item has of the node
  bytes bigint not null, -- the sum of their sizes
  unique (owner_id, name)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create table if not exists pubsub_affiliation (
  node_id bigint not null references pubsub_node (id) on delete cascade,
  jid varbinary(2047) not null,
  affiliation longtext not null,
  primary key (node_id, jid)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create table if not exists pubsub_subscription (
  node_id bigint not null references pubsub_node (id) on delete cascade,
  subid varbinary(255) not null,
  jid varbinary(3071) not null,
  state longtext not null,
  options longtext not null,
  primary key (node_id, subid)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create table if not exists pubsub_item (
  node_id bigint not null references pubsub_node (id) on delete cascade,
  position bigint not null, -- grows with each item that is published
  item varbinary(1023) not null,
  publisher varbinary(3071) not null,
  published bigint not null, -- microseconds since 1970
  size bigint not null, -- of the payload and the id, in bytes
  payload longblob not null,
  primary key (node_id, position),
  unique (node_id, item)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
-- Services with nodes of many users: whether a node is listed, what a user has created, and where a
-- user is affiliated or subscribed.
alter table pubsub_node add column if not exists listed integer not null default 1;
-- affiliations and subscriptions, as far as they were counted
alter table pubsub_node add column if not exists entries integer not null default 0;
create index if not exists pubsub_node_creator on pubsub_node (owner_id, creator (767));
create index if not exists pubsub_affiliation_jid on pubsub_affiliation (jid (767), node_id);
create index if not exists pubsub_subscription_jid on pubsub_subscription (jid (767), node_id);
-- Nodes that need the presence of subscribers or publishers, and which nodes are in which collections.
alter table pubsub_node add column if not exists presence integer not null default 0;
create table if not exists pubsub_association (
  collection_id bigint not null references pubsub_node (id) on delete cascade,
  child_id bigint not null references pubsub_node (id) on delete cascade,
  primary key (collection_id, child_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists pubsub_association_child on pubsub_association (child_id, collection_id);
-- Files that accounts have uploaded, without their contents.
create table if not exists upload (
  id bigint primary key, -- from the clock of the message ids, so no other database issues it
  owner_id bigint not null references account (id) on delete cascade,
  slot varbinary(64) not null unique,
  name varbinary(255) not null,
  type varbinary(255) not null,
  size bigint not null, -- in bytes
  hash varbinary(64) not null, -- SHA-256 of the content, in hexadecimal
  created bigint not null, -- microseconds since 1970
  expires bigint not null -- microseconds since 1970; 0 is never
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists upload_owner on upload (owner_id, created);
create index if not exists upload_hash on upload (hash);
create index if not exists upload_created on upload (created);
-- The place of an item in the order of creation (XEP-0413): the position with which its id was new.
alter table pubsub_item add column if not exists first_position bigint not null default 0;
update pubsub_item set first_position = position where first_position = 0;
create index if not exists pubsub_item_first on pubsub_item (node_id, first_position);
-- Who has something about an account that was removed.
create index if not exists roster_item_contact on roster_item (jid(191));
create index if not exists room_affiliation_user on room_affiliation (jid(191));
-- Rooms that were removed and can be restored. Each keeps its row in account, and with it all its
-- data, under the local part // and its number, so that its address is free.
create table if not exists removed_room (
  owner_id bigint primary key references account (id) on delete cascade,
  domain varbinary(1023) not null,
  local varbinary(1023) not null,
  removed bigint not null, -- microseconds since 1970
  created bigint not null, -- microseconds since 1970
  persistent integer not null,
  listed integer not null,
  name longtext not null,
  settings longtext not null,
  creator varbinary(2047) -- bare address, null where it is not known
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists removed_room_time on removed_room (domain, removed);
create index if not exists removed_room_creator on removed_room (creator(191));
-- What administrators have done or tried to do.
create table if not exists audit_event (
  id bigint primary key, -- from the clock of the message ids, so no other node issues it
  time bigint not null, -- microseconds since 1970
  caller varbinary(255) not null,
  via varbinary(64) not null, -- the way by which the caller came
  address varbinary(255), -- network address of the caller
  operation varbinary(64) not null,
  area varbinary(64) not null, -- the operation up to its first dot
  host varbinary(1023),
  subject varbinary(2047), -- the address that it was about
  outcome varbinary(64) not null,
  detail longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists audit_event_time on audit_event (time);
create index if not exists audit_event_caller on audit_event (caller, id);
create index if not exists audit_event_operation on audit_event (operation, id);
create index if not exists audit_event_area on audit_event (area, id);
create index if not exists audit_event_host on audit_event (host, id);
create index if not exists audit_event_subject on audit_event (subject, id);
-- The lists of administrators: events by time, whatever else is looked for, and rooms by age.
drop index if exists audit_event_caller on audit_event;
create index if not exists audit_event_caller on audit_event (caller, time, id);
drop index if exists audit_event_operation on audit_event;
create index if not exists audit_event_operation on audit_event (operation, time, id);
drop index if exists audit_event_area on audit_event;
create index if not exists audit_event_area on audit_event (area, time, id);
drop index if exists audit_event_host on audit_event;
create index if not exists audit_event_host on audit_event (host, time, id);
drop index if exists audit_event_subject on audit_event;
create index if not exists audit_event_subject on audit_event (subject, time, id);
create index if not exists room_created on room (domain, created, local);
-- Stanzas that were not delivered as usual, without their contents.
create table if not exists journal_event (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  node varbinary(64) not null, -- of the cluster; empty without one
  place varbinary(64) not null,
  reason varbinary(64) not null,
  sender varbinary(2047), -- bare address
  sender_resource varbinary(1023),
  receiver varbinary(2047), -- bare address
  receiver_resource varbinary(1023),
  kind varbinary(64) not null,
  stanza varbinary(255), -- the id of the stanza
  identity bigint not null, -- by which all nodes recognise the stanza, or 0
  detail varbinary(255)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists journal_event_sender on journal_event (sender, id);
create index if not exists journal_event_receiver on journal_event (receiver, id);
create index if not exists journal_event_reason on journal_event (reason, id);
-- What was measured, in parts.
create table if not exists meter_history (
  since bigint not null, -- of the first step, in seconds since 1970
  step integer not null, -- seconds
  node varbinary(64) not null, -- of the cluster; empty without one
  data longblob not null,
  primary key (since, step, node)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
-- Messages that were traced, without their contents.
create table if not exists traced_message (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  trace bigint not null, -- what its steps have
  chosen varbinary(64) not null, -- the choice that it fits
  node varbinary(64) not null, -- of the cluster; empty without one
  sender varbinary(2047), -- bare address
  sender_resource varbinary(1023),
  receiver varbinary(2047), -- bare address
  receiver_resource varbinary(1023),
  kind varbinary(64) not null,
  stanza varbinary(255) -- the id of the stanza
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists traced_message_trace on traced_message (trace, id);
create index if not exists traced_message_chosen on traced_message (chosen, id);
create index if not exists traced_message_sender on traced_message (sender, id);
create index if not exists traced_message_receiver on traced_message (receiver, id);
-- Their steps.
create table if not exists trace_step (
  id bigint primary key, -- from the clock of the message ids
  trace bigint not null,
  time bigint not null, -- microseconds since 1970
  node varbinary(64) not null, -- of the cluster; empty without one
  place varbinary(64) not null,
  verdict varbinary(64) not null,
  reason varbinary(64),
  detail varbinary(255)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
create index if not exists trace_step_trace on trace_step (trace, id);
delete from account;
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (1, x'6578616d706c652e6e6574', x'726f6d656f', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (2, x'6578616d706c652e6e6574', x'6a756c696574', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (3, x'6578616d706c652e6e6574', x'6cc3a472636865', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (4, x'726f6f6d732e6578616d706c652e6e6574', x'67617264656e', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (5, x'726f6f6d732e6578616d706c652e6e6574', x'746f6d62', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (6, x'726f6f6d732e6578616d706c652e6e6574', x'2f2f36', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (7, x'7075627375622e6578616d706c652e6e6574', x'2f', 1795262400000000, 0);
insert into account (`id`, `domain`, `local`, `created`, `archived_from`) values (8, x'6578616d706c652e6e6574', x'2f', 1795262400000028, 0);
delete from archive_chunk;
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, -5, 0, x'0000ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, -5, 1, x'0001ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, 0, 2, x'0002ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, 1, 3, x'0003ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, 1, 4, x'0004ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, 1, 5, x'0005ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, 2, 6, x'0006ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (1, 2, 7, x'0007ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, -5, 0, x'0000ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, -5, 1, x'0001ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, 0, 2, x'0002ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, 1, 3, x'0003ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, 1, 4, x'0004ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, 1, 5, x'0005ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, 2, 6, x'0006ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (2, 2, 7, x'0007ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, -5, 0, x'0000ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, -5, 1, x'0001ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, 0, 2, x'0002ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, 1, 3, x'0003ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, 1, 4, x'0004ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, 1, 5, x'0005ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, 2, 6, x'0006ff');
insert into archive_chunk (`slice`, `last_key`, `last_id`, `data`) values (3, 2, 7, x'0007ff');
delete from archive_mark;
insert into archive_mark (`one`, `indexed_to`, `text_to`) values (1, 0, 0);
delete from archive_slice;
insert into archive_slice (`slice`, `level`, `first_id`, `last_id`, `entries`, `removed`) values (1, -2, 1, 2, 3, 4);
insert into archive_slice (`slice`, `level`, `first_id`, `last_id`, `entries`, `removed`) values (2, -2, 1, 2, 3, 4);
insert into archive_slice (`slice`, `level`, `first_id`, `last_id`, `entries`, `removed`) values (3, -2, 1, 2, 3, 4);
delete from audit_event;
insert into audit_event (`id`, `time`, `caller`, `via`, `address`, `operation`, `area`, `host`, `subject`, `outcome`, `detail`) values (1795262400000032, 1795262400000000, x'61646d696e20273b202d2d', x'72657374', null, x'6163636f756e742e616464', x'6163636f756e74', null, null, x'646f6e65', null);
insert into audit_event (`id`, `time`, `caller`, `via`, `address`, `operation`, `area`, `host`, `subject`, `outcome`, `detail`) values (1795262400000033, 1795262401000000, x'61646d696e20273b202d2d', x'72657374', x'3139322e302e322e37', x'6163636f756e742e616464', x'6163636f756e74', x'6578616d706c652e6e6574', x'6cc3a472636865406578616d706c652e6e6574', x'646f6e65', 'näme: 🚀');
insert into audit_event (`id`, `time`, `caller`, `via`, `address`, `operation`, `area`, `host`, `subject`, `outcome`, `detail`) values (1795262400000034, 1795262402000000, x'61646d696e20273b202d2d', x'72657374', x'3139322e302e322e37', x'6163636f756e742e616464', x'6163636f756e74', x'6578616d706c652e6e6574', x'6cc3a472636865406578616d706c652e6e6574', x'646f6e65', 'näme: 🚀');
delete from cluster_address;
insert into cluster_address (`cluster`, `node`, `address`) values (x'6578616d706c65', x'61', '192.0.2.1:7800');
delete from cluster_node;
insert into cluster_node (`number`, `name`, `generation`, `next`, `removals`, `incarnation`, `fenced`) values (0, x'61', 2, 1, 0, 0, 0);
delete from cluster_row;
insert into cluster_row (`name`, `epoch`, `members`, `incarnations`, `renewals`) values (x'6578616d706c65', 1, 'a 7 draining', '/frames 2,a 7', 0);
delete from cluster_setting;
insert into cluster_setting (`id`, `name`, `value`) values (1, x'66756c6c2d74657874', 'true');
insert into cluster_setting (`id`, `name`, `value`) values (2, x'736563726574', '5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e');
delete from journal_event;
insert into journal_event (`id`, `node`, `place`, `reason`, `sender`, `sender_resource`, `receiver`, `receiver_resource`, `kind`, `stanza`, `identity`, `detail`) values (1000000, x'', x'686f6d65', x'6e6f742d636f6e6e6563746564', x'726f6d656f406578616d706c652e6e6574', x'70686f6e65', null, null, x'63686174', null, 0, null);
insert into journal_event (`id`, `node`, `place`, `reason`, `sender`, `sender_resource`, `receiver`, `receiver_resource`, `kind`, `stanza`, `identity`, `detail`) values (1000001, x'6e31', x'686f6d65', x'6e6f742d636f6e6e6563746564', x'726f6d656f406578616d706c652e6e6574', x'70686f6e65', x'6a756c696574406578616d706c652e6e6574', null, x'63686174', x'273b202d2d', 1, x'6ec3a46d65');
insert into journal_event (`id`, `node`, `place`, `reason`, `sender`, `sender_resource`, `receiver`, `receiver_resource`, `kind`, `stanza`, `identity`, `detail`) values (1000002, x'6e31', x'686f6d65', x'6e6f742d636f6e6e6563746564', x'726f6d656f406578616d706c652e6e6574', x'70686f6e65', x'6a756c696574406578616d706c652e6e6574', null, x'63686174', x'273b202d2d', 2, x'6ec3a46d65');
delete from key_value;
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'empty', 'k', x'');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', ' ', x'20');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', 'A', x'41');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', 'a', x'61');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', 'é', x'65cc81');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', x'7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', '{urn:x}🚀', x'7b75726e3a787df09f9a80');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'private', 'é', x'c3a9');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (1, 'vcard', 'photo', x'000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (2, 'vcard', '', x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (8, 'host', 'a key', x'01');
insert into key_value (`owner_id`, `store`, `key`, `value`) values (8, 'removed-accounts', 'last', x'');
delete from message;
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000035, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264303c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303335272f3e3c2f6d6573736167653e', 2391239720, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000036, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264313c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303336272f3e3c2f6d6573736167653e', 6017528, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000037, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264323c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303337272f3e3c2f6d6573736167653e', 610571383, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000038, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64792f3e3c2f6d6573736167653e', 2161680902, 1, x'6a756c696574406578616d706c652e6e6574', x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264333c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303338272f3e3c2f6d6573736167653e', 3230780515, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000039, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264343c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303339272f3e3c2f6d6573736167653e', 2450094930, 1, x'6a756c696574406578616d706c652e6e6574', x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e636f727265637465643c2f626f64793e3c2f6d6573736167653e', 2232441275, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000040, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264353c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303430272f3e3c2f6d6573736167653e', 3409606861, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000041, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264363c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303431272f3e3c2f6d6573736167653e', 4010097986, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000042, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264373c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303432272f3e3c2f6d6573736167653e', 2425114777, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000043, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264383c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303433272f3e3c2f6d6573736167653e', 2162880712, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000044, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264393c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303434272f3e3c2f6d6573736167653e', 1539796721, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000045, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431303c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303435272f3e3c2f6d6573736167653e', 835169891, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000046, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431313c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303436272f3e3c2f6d6573736167653e', 1616060272, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000047, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431323c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303437272f3e3c2f6d6573736167653e', 1583812935, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000048, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431333c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303438272f3e3c2f6d6573736167653e', 834578413, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000049, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431343c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303439272f3e3c2f6d6573736167653e', 474090128, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000050, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431353c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303530272f3e3c2f6d6573736167653e', 699706332, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000051, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431363c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303531272f3e3c2f6d6573736167653e', 394307051, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000052, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431373c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303532272f3e3c2f6d6573736167653e', 3748456979, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000053, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431383c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303533272f3e3c2f6d6573736167653e', 3573613050, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000054, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431393c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303534272f3e3c2f6d6573736167653e', 3513029376, 1, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000055, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 0, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e6f6e6c7920756e74696c2064656c69766572656420f09f9a803c2f626f64793e3c2f6d6573736167653e', 2286955937, null, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000056, 2, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878783c2f626f64793e3c2f6d6573736167653e', 3944067770, null, null, null, null, null);
insert into message (`id`, `owner_id`, `peer`, `waiting`, `archive`, `stanza`, `checksum`, `sender_id`, `sender_peer`, `sender_stanza`, `sender_checksum`, `origin`) values (1795262400000057, 4, x'726f6d656f406578616d706c652e6e65742f70686f6e65', 0, 1, x'3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d2767617264656e40726f6f6d732e6578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e7361696420696e207468652067617264656e3c2f626f64793e3c2f6d6573736167653e', 3152200567, null, null, null, null, null);
delete from message_id;
insert into message_id (`one`, `next`) values (1, 1795262400000060);
delete from meter_history;
insert into meter_history (`since`, `step`, `node`, `data`) values (0, 60, x'', x'00ff');
insert into meter_history (`since`, `step`, `node`, `data`) values (0, 60, x'6e2731', x'00ff');
insert into meter_history (`since`, `step`, `node`, `data`) values (3600, 60, x'6e2731', x'00ff');
delete from pubsub_node;
insert into pubsub_node (`id`, `owner_id`, `name`, `creator`, `created`, `settings`, `items`, `bytes`, `listed`, `entries`, `presence`) values (1795262400000024, 1, x'75726e3a78', x'6a756c696574406578616d706c652e6e6574', 1795262400000000, 'access_model=open\n', 4, 116, 1, 0, 0);
insert into pubsub_node (`id`, `owner_id`, `name`, `creator`, `created`, `settings`, `items`, `bytes`, `listed`, `entries`, `presence`) values (1795262400000025, 1, x'6ec3b6646520273b202d2d', x'6a756c696574406578616d706c652e6e6574', 1795262400000000, 'access_model=open\n', 4, 116, 1, 0, 0);
insert into pubsub_node (`id`, `owner_id`, `name`, `creator`, `created`, `settings`, `items`, `bytes`, `listed`, `entries`, `presence`) values (1795262400000026, 7, x'75726e3a78', x'6a756c696574406578616d706c652e6e6574', 1795262400000000, 'access_model=open\n', 4, 116, 1, 0, 0);
insert into pubsub_node (`id`, `owner_id`, `name`, `creator`, `created`, `settings`, `items`, `bytes`, `listed`, `entries`, `presence`) values (1795262400000027, 7, x'6ec3b6646520273b202d2d', x'6a756c696574406578616d706c652e6e6574', 1795262400000000, 'access_model=open\n', 4, 116, 1, 0, 0);
delete from pubsub_subscription;
insert into pubsub_subscription (`node_id`, `subid`, `jid`, `state`, `options`) values (1795262400000024, x'7331', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 'subscribed', 'deliver=0');
insert into pubsub_subscription (`node_id`, `subid`, `jid`, `state`, `options`) values (1795262400000025, x'7331', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 'subscribed', 'deliver=0');
insert into pubsub_subscription (`node_id`, `subid`, `jid`, `state`, `options`) values (1795262400000026, x'7331', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 'subscribed', 'deliver=0');
insert into pubsub_subscription (`node_id`, `subid`, `jid`, `state`, `options`) values (1795262400000027, x'7331', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 'subscribed', 'deliver=0');
delete from removed_owner;
insert into removed_owner (`owner_id`, `erased_to`) values (77, -1);
insert into removed_owner (`owner_id`, `erased_to`) values (9, 1795262400000058);
delete from removed_room;
insert into removed_room (`owner_id`, `domain`, `local`, `removed`, `created`, `persistent`, `listed`, `name`, `settings`, `creator`) values (6, x'726f6f6d732e6578616d706c652e6e6574', x'63617665', 1795262401000000, 1795262400000000, 1, 1, 'The cäve', 'b = 2\n', x'6a756c696574406578616d706c652e6e6574');
delete from room;
insert into room (`owner_id`, `domain`, `local`, `created`, `persistent`, `listed`, `name`, `settings`, `folded`, `creator`) values (4, x'726f6f6d732e6578616d706c652e6e6574', x'67617264656e', 1795262400000000, 1, 1, 'The garden', 'a = 1\n', 'garden￿the garden', x'6a756c696574406578616d706c652e6e6574');
insert into room (`owner_id`, `domain`, `local`, `created`, `persistent`, `listed`, `name`, `settings`, `folded`, `creator`) values (5, x'726f6f6d732e6578616d706c652e6e6574', x'746f6d62', 1795262400000000, 0, 0, '', '', 'tomb￿', null);
delete from room_affiliation;
insert into room_affiliation (`owner_id`, `jid`, `affiliation`, `nick`, `reason`) values (4, x'6578616d706c652e6f7267', 'outcast', null, 'the whole domain');
insert into room_affiliation (`owner_id`, `jid`, `affiliation`, `nick`, `reason`) values (4, x'6a756c696574406578616d706c652e6e6574', 'owner', 'Juliet', null);
insert into room_affiliation (`owner_id`, `jid`, `affiliation`, `nick`, `reason`) values (4, x'726f6d656f406578616d706c652e6e6574', 'member', null, '');
insert into room_affiliation (`owner_id`, `jid`, `affiliation`, `nick`, `reason`) values (6, x'6a756c696574406578616d706c652e6e6574', 'owner', null, null);
delete from roster_item;
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637430406578616d706c652e6f7267', null, 'BOTH', 1, 1, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637431406578616d706c652e6f7267', '', 'NONE', 0, 0, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637432406578616d706c652e6f7267', 'Näme 🚀 2', 'BOTH', 1, 0, 1, '', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637433406578616d706c652e6f7267', 'Näme 🚀 3', 'NONE', 0, 1, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637434406578616d706c652e6f7267', 'Näme 🚀 4', 'BOTH', 1, 0, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637435406578616d706c652e6f7267', 'Näme 🚀 5', 'NONE', 0, 0, 0, 'Friends\n''; --‮\n', x'3c70726573656e63652066726f6d3d27726f6d656f406578616d706c652e6e65742720746f3d276a756c696574406578616d706c652e6e65742720747970653d27737562736372696265272f3e');
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (1, x'636f6e7461637436406578616d706c652e6f7267', 'Näme 🚀 6', 'BOTH', 1, 1, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637430406578616d706c652e6f7267', null, 'BOTH', 1, 1, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637431406578616d706c652e6f7267', '', 'NONE', 0, 0, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637432406578616d706c652e6f7267', 'Näme 🚀 2', 'BOTH', 1, 0, 1, '', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637433406578616d706c652e6f7267', 'Näme 🚀 3', 'NONE', 0, 1, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637434406578616d706c652e6f7267', 'Näme 🚀 4', 'BOTH', 1, 0, 1, 'Friends\n''; --‮\n', null);
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637435406578616d706c652e6f7267', 'Näme 🚀 5', 'NONE', 0, 0, 0, 'Friends\n''; --‮\n', x'3c70726573656e63652066726f6d3d27726f6d656f406578616d706c652e6e65742720746f3d276a756c696574406578616d706c652e6e65742720747970653d27737562736372696265272f3e');
insert into roster_item (`owner_id`, `jid`, `name`, `subscription`, `ask`, `approved`, `listed`, `groups`, `request`) values (2, x'636f6e7461637436406578616d706c652e6f7267', 'Näme 🚀 6', 'BOTH', 1, 1, 1, 'Friends\n''; --‮\n', null);
delete from roster_version;
insert into roster_version (`owner_id`, `version`) values (1, 1795262400000023);
insert into roster_version (`owner_id`, `version`) values (2, 1795262400000022);
delete from scram_keys;
insert into scram_keys (`account_id`, `hash`, `salt`, `iterations`, `stored_key`, `server_key`) values (1, 'SHA-256', x'0100ff7f', 4097, x'73746f72656431', x'0100ff7f');
insert into scram_keys (`account_id`, `hash`, `salt`, `iterations`, `stored_key`, `server_key`) values (1, 'SHA-512', x'0200ff7f', 4098, x'73746f72656432', x'0200ff7f');
insert into scram_keys (`account_id`, `hash`, `salt`, `iterations`, `stored_key`, `server_key`) values (2, 'SHA-256', x'0100ff7f', 4097, x'73746f72656431', x'0100ff7f');
insert into scram_keys (`account_id`, `hash`, `salt`, `iterations`, `stored_key`, `server_key`) values (2, 'SHA-512', x'0200ff7f', 4098, x'73746f72656432', x'0200ff7f');
delete from trace_step;
insert into trace_step (`id`, `trace`, `time`, `node`, `place`, `verdict`, `reason`, `detail`) values (2000000, 1, 5, x'', x'686f6d65', x'7265636569766564', null, null);
insert into trace_step (`id`, `trace`, `time`, `node`, `place`, `verdict`, `reason`, `detail`) values (2000001, 2, 5, x'', x'686f6d65', x'7265636569766564', x'6ec3a46d65273b202d2d', x'6ec3a46d65273b202d2d');
insert into trace_step (`id`, `trace`, `time`, `node`, `place`, `verdict`, `reason`, `detail`) values (2000002, 3, 5, x'', x'686f6d65', x'7265636569766564', x'6ec3a46d65273b202d2d', x'6ec3a46d65273b202d2d');
delete from traced_message;
insert into traced_message (`id`, `trace`, `chosen`, `node`, `sender`, `sender_resource`, `receiver`, `receiver_resource`, `kind`, `stanza`) values (1000000, 1, x'7431', x'', x'726f6d656f406578616d706c652e6e6574', x'70686f6e65', null, null, x'63686174', null);
insert into traced_message (`id`, `trace`, `chosen`, `node`, `sender`, `sender_resource`, `receiver`, `receiver_resource`, `kind`, `stanza`) values (1000001, 2, x'7431', x'6e31', x'726f6d656f406578616d706c652e6e6574', x'70686f6e65', x'6a756c696574406578616d706c652e6e6574', null, x'63686174', x'6ec3a46d65273b202d2d');
insert into traced_message (`id`, `trace`, `chosen`, `node`, `sender`, `sender_resource`, `receiver`, `receiver_resource`, `kind`, `stanza`) values (1000002, 3, x'7431', x'6e31', x'726f6d656f406578616d706c652e6e6574', x'70686f6e65', x'6a756c696574406578616d706c652e6e6574', null, x'63686174', x'6ec3a46d65273b202d2d');
delete from upload;
insert into upload (`id`, `owner_id`, `slot`, `name`, `type`, `size`, `hash`, `created`, `expires`) values (1795262400000029, 1, x'736c6f7430', x'6ec3b6746520273b202d2d2e747874', x'746578742f706c61696e', 0, x'61626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162', 1795262400000000, 0);
insert into upload (`id`, `owner_id`, `slot`, `name`, `type`, `size`, `hash`, `created`, `expires`) values (1795262400000030, 1, x'736c6f7431', x'6ec3b6746520273b202d2d2e747874', x'746578742f706c61696e', 1, x'61626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162', 1795262400000000, 1795262401000000);
insert into upload (`id`, `owner_id`, `slot`, `name`, `type`, `size`, `hash`, `created`, `expires`) values (1795262400000031, 1, x'736c6f7432', x'6ec3b6746520273b202d2d2e747874', x'746578742f706c61696e', 2, x'61626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162616261626162', 1795262400000000, 1795262402000000);
delete from zonda_schema;
insert into zonda_schema (`version`, `generation`, `oldest`) values (17, 2, 17);
delete from pubsub_affiliation;
insert into pubsub_affiliation (`node_id`, `jid`, `affiliation`) values (1795262400000024, x'6a756c696574406578616d706c652e6e6574', 'owner');
insert into pubsub_affiliation (`node_id`, `jid`, `affiliation`) values (1795262400000025, x'6a756c696574406578616d706c652e6e6574', 'owner');
insert into pubsub_affiliation (`node_id`, `jid`, `affiliation`) values (1795262400000026, x'6a756c696574406578616d706c652e6e6574', 'owner');
insert into pubsub_affiliation (`node_id`, `jid`, `affiliation`) values (1795262400000027, x'6a756c696574406578616d706c652e6e6574', 'owner');
delete from pubsub_association;
insert into pubsub_association (`collection_id`, `child_id`) values (1795262400000024, 1795262400000025);
insert into pubsub_association (`collection_id`, `child_id`) values (1795262400000026, 1795262400000027);
delete from pubsub_item;
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000024, 2, x'6931', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000024, 3, x'6932', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000024, 4, x'6933', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000024, 5, x'6934', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000025, 2, x'6931', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000025, 3, x'6932', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000025, 4, x'6933', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000025, 5, x'6934', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000026, 2, x'6931', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000026, 3, x'6932', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000026, 4, x'6933', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000026, 5, x'6934', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000027, 2, x'6931', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000027, 3, x'6932', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000027, 4, x'6933', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item (`node_id`, `position`, `item`, `publisher`, `published`, `size`, `payload`, `first_position`) values (1795262400000027, 5, x'6934', x'726f6d656f406578616d706c652e6e65742f70686f6e65', 1795262400000000, 29, x'3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
alter table account auto_increment = 10;
