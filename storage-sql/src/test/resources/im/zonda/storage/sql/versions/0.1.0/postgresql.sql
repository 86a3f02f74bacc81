create table zonda_schema (version integer not null, generation bigint not null, oldest integer not null default 0);
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
-- The row of each cluster that uses the database: which processes are its members.
create table cluster_row (
  name text collate "C" primary key,
  epoch bigint not null,
  members text not null, -- name and incarnation of each, such as `a 7,b 9`
  incarnations text not null, -- the highest of each node, in the same form
  renewals bigint not null
);
-- The nodes of a cluster that have ever used the database; each keeps its number.
create table cluster_node (
  number integer primary key, -- 0 to 63; the remainder of the ids that the node gives out
  name text collate "C" not null unique,
  generation bigint not null, -- how often a process of the node has opened the database
  next bigint not null, -- the node gives out no id below this one again
  removals bigint not null -- how many accounts the node has removed
);
-- Which stanza of the cluster an entry comes from, a hash; null without a cluster. A stanza that is sent
-- again after the death of a node is looked up by it, among the newest ids.
alter table message add column origin bigint;
-- The member that the node's process is, 0 before it is one; the cluster has gone on without members up
-- to `fenced`, and they must not write.
alter table cluster_node add column incarnation bigint not null default 0;
alter table cluster_node add column fenced bigint not null default 0;
-- What the nodes of a cluster have in common.
create table cluster_setting (
  id integer primary key,
  name text collate "C" not null unique,
  value text not null
);
-- Where the nodes that run, or that were killed, can be reached by others.
create table cluster_address (
  cluster text collate "C" not null,
  node text collate "C" not null,
  address text not null, -- host and port, such as `192.0.2.1:7800`
  primary key (cluster, node)
);
-- Publish-subscribe nodes. The owner is an account, or the domain of a service, whose row in account
-- has the local part '/'.
create table pubsub_node (
  id bigint primary key, -- from the clock of the message ids, so no other database issues it
  owner_id bigint not null references account (id) on delete cascade,
  name text collate "C" not null,
  creator text collate "C" not null,
  created bigint not null, -- microseconds since 1970
  settings text not null,
  items integer not null, -- how many rows pubsub_item has of the node
  bytes bigint not null, -- the sum of their sizes
  unique (owner_id, name)
);
create table pubsub_affiliation (
  node_id bigint not null references pubsub_node (id) on delete cascade,
  jid text collate "C" not null,
  affiliation text not null,
  primary key (node_id, jid)
);
create table pubsub_subscription (
  node_id bigint not null references pubsub_node (id) on delete cascade,
  subid text collate "C" not null,
  jid text collate "C" not null,
  state text not null,
  options text not null,
  primary key (node_id, subid)
);
create table pubsub_item (
  node_id bigint not null references pubsub_node (id) on delete cascade,
  position bigint not null, -- grows with each item that is published
  item text collate "C" not null,
  publisher text collate "C" not null,
  published bigint not null, -- microseconds since 1970
  size bigint not null, -- of the payload and the id, in bytes
  payload bytea not null,
  primary key (node_id, position),
  unique (node_id, item)
);
-- Services with nodes of many users: whether a node is listed, what a user has created, and where a
-- user is affiliated or subscribed.
alter table pubsub_node add column listed integer not null default 1;
-- affiliations and subscriptions, as far as they were counted
alter table pubsub_node add column entries integer not null default 0;
create index pubsub_node_creator on pubsub_node (owner_id, creator);
create index pubsub_affiliation_jid on pubsub_affiliation (jid, node_id);
create index pubsub_subscription_jid on pubsub_subscription (jid, node_id);
-- Nodes that need the presence of subscribers or publishers, and which nodes are in which collections.
alter table pubsub_node add column presence integer not null default 0;
create table pubsub_association (
  collection_id bigint not null references pubsub_node (id) on delete cascade,
  child_id bigint not null references pubsub_node (id) on delete cascade,
  primary key (collection_id, child_id)
);
create index pubsub_association_child on pubsub_association (child_id, collection_id);
-- Files that accounts have uploaded, without their contents.
create table upload (
  id bigint primary key, -- from the clock of the message ids, so no other database issues it
  owner_id bigint not null references account (id) on delete cascade,
  slot text collate "C" not null unique,
  name text collate "C" not null,
  type text collate "C" not null,
  size bigint not null, -- in bytes
  hash text collate "C" not null, -- SHA-256 of the content, in hexadecimal
  created bigint not null, -- microseconds since 1970
  expires bigint not null -- microseconds since 1970; 0 is never
);
create index upload_owner on upload (owner_id, created);
create index upload_hash on upload (hash);
create index upload_created on upload (created);
-- The place of an item in the order of creation (XEP-0413): the position with which its id was new.
alter table pubsub_item add column first_position bigint not null default 0;
update pubsub_item set first_position = position;
create index pubsub_item_first on pubsub_item (node_id, first_position);
-- Who has something about an account that was removed.
create index roster_item_contact on roster_item using hash (jid);
create index room_affiliation_user on room_affiliation using hash (jid);
-- Rooms that were removed and can be restored. Each keeps its row in account, and with it all its
-- data, under the local part // and its number, so that its address is free.
create table removed_room (
  owner_id bigint primary key references account (id) on delete cascade,
  domain text collate "C" not null,
  local text collate "C" not null,
  removed bigint not null, -- microseconds since 1970
  created bigint not null, -- microseconds since 1970
  persistent integer not null,
  listed integer not null,
  name text not null,
  settings text not null,
  creator text collate "C" -- bare address, null where it is not known
);
create index removed_room_time on removed_room (domain, removed);
create index removed_room_creator on removed_room using hash (creator);
-- What administrators have done or tried to do.
create table audit_event (
  id bigint primary key, -- from the clock of the message ids, so no other node issues it
  time bigint not null, -- microseconds since 1970
  caller text collate "C" not null,
  via text collate "C" not null, -- the way by which the caller came
  address text collate "C", -- network address of the caller
  operation text collate "C" not null,
  area text collate "C" not null, -- the operation up to its first dot
  host text collate "C",
  subject text collate "C", -- the address that it was about
  outcome text collate "C" not null,
  detail text collate "C"
);
create index audit_event_time on audit_event (time);
create index audit_event_caller on audit_event (caller, id);
create index audit_event_operation on audit_event (operation, id);
create index audit_event_area on audit_event (area, id);
create index audit_event_host on audit_event (host, id);
create index audit_event_subject on audit_event (subject, id);
-- The lists of administrators: events by time, whatever else is looked for, and rooms by age.
drop index audit_event_time;
create index audit_event_time on audit_event (time, id);
drop index audit_event_caller;
create index audit_event_caller on audit_event (caller, time, id);
drop index audit_event_operation;
create index audit_event_operation on audit_event (operation, time, id);
drop index audit_event_area;
create index audit_event_area on audit_event (area, time, id);
drop index audit_event_host;
create index audit_event_host on audit_event (host, time, id);
drop index audit_event_subject;
create index audit_event_subject on audit_event (subject, time, id);
create index room_created on room (domain, created, local);
-- Few accounts are disabled: they are listed without reading the others.
create index key_value_disabled on key_value (owner_id) where store = 'disabled';
-- Stanzas that were not delivered as usual, without their contents.
create table journal_event (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  node text collate "C" not null, -- of the cluster; empty without one
  place text collate "C" not null,
  reason text collate "C" not null,
  sender text collate "C", -- bare address
  sender_resource text collate "C",
  receiver text collate "C", -- bare address
  receiver_resource text collate "C",
  kind text collate "C" not null,
  stanza text collate "C", -- the id of the stanza
  identity bigint not null, -- by which all nodes recognise the stanza, or 0
  detail text collate "C"
);
create index journal_event_sender on journal_event (sender, id);
create index journal_event_receiver on journal_event (receiver, id);
create index journal_event_reason on journal_event (reason, id);
-- What was measured, in parts.
create table meter_history (
  since bigint not null, -- of the first step, in seconds since 1970
  step integer not null, -- seconds
  node text collate "C" not null, -- of the cluster; empty without one
  data bytea not null,
  primary key (since, step, node)
);
-- Messages that were traced, without their contents.
create table traced_message (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  trace bigint not null, -- what its steps have
  chosen text collate "C" not null, -- the choice that it fits
  node text collate "C" not null, -- of the cluster; empty without one
  sender text collate "C", -- bare address
  sender_resource text collate "C",
  receiver text collate "C", -- bare address
  receiver_resource text collate "C",
  kind text collate "C" not null,
  stanza text collate "C" -- the id of the stanza
);
create index traced_message_trace on traced_message (trace, id);
create index traced_message_chosen on traced_message (chosen, id);
create index traced_message_sender on traced_message (sender, id);
create index traced_message_receiver on traced_message (receiver, id);
-- Their steps.
create table trace_step (
  id bigint primary key, -- from the clock of the message ids
  trace bigint not null,
  time bigint not null, -- microseconds since 1970
  node text collate "C" not null, -- of the cluster; empty without one
  place text collate "C" not null,
  verdict text collate "C" not null,
  reason text collate "C",
  detail text collate "C"
);
create index trace_step_trace on trace_step (trace, id);
delete from account;
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (1, E'example.net', E'romeo', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (2, E'example.net', E'juliet', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (3, E'example.net', E'lärche', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (4, E'rooms.example.net', E'garden', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (5, E'rooms.example.net', E'tomb', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (6, E'rooms.example.net', E'//6', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (7, E'pubsub.example.net', E'/', 1795262400000000, 0);
insert into account ("id", "domain", "local", "created", "archived_from") overriding system value values (8, E'example.net', E'/', 1795262400000028, 0);
delete from archive_chunk;
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, -5, 0, '\x0000ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, -5, 1, '\x0001ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, 0, 2, '\x0002ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, 1, 3, '\x0003ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, 1, 4, '\x0004ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, 1, 5, '\x0005ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, 2, 6, '\x0006ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (1, 2, 7, '\x0007ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, -5, 0, '\x0000ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, -5, 1, '\x0001ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, 0, 2, '\x0002ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, 1, 3, '\x0003ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, 1, 4, '\x0004ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, 1, 5, '\x0005ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, 2, 6, '\x0006ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (2, 2, 7, '\x0007ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, -5, 0, '\x0000ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, -5, 1, '\x0001ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, 0, 2, '\x0002ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, 1, 3, '\x0003ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, 1, 4, '\x0004ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, 1, 5, '\x0005ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, 2, 6, '\x0006ff');
insert into archive_chunk ("slice", "last_key", "last_id", "data") overriding system value values (3, 2, 7, '\x0007ff');
delete from archive_mark;
insert into archive_mark ("one", "indexed_to", "text_to") overriding system value values (1, 0, 0);
delete from archive_slice;
insert into archive_slice ("slice", "level", "first_id", "last_id", "entries", "removed") overriding system value values (1, -2, 1, 2, 3, 4);
insert into archive_slice ("slice", "level", "first_id", "last_id", "entries", "removed") overriding system value values (2, -2, 1, 2, 3, 4);
insert into archive_slice ("slice", "level", "first_id", "last_id", "entries", "removed") overriding system value values (3, -2, 1, 2, 3, 4);
delete from audit_event;
insert into audit_event ("id", "time", "caller", "via", "address", "operation", "area", "host", "subject", "outcome", "detail") overriding system value values (1795262400000032, 1795262400000000, E'admin ''; --', E'rest', null, E'account.add', E'account', null, null, E'done', null);
insert into audit_event ("id", "time", "caller", "via", "address", "operation", "area", "host", "subject", "outcome", "detail") overriding system value values (1795262400000033, 1795262401000000, E'admin ''; --', E'rest', E'192.0.2.7', E'account.add', E'account', E'example.net', E'lärche@example.net', E'done', E'näme: 🚀');
insert into audit_event ("id", "time", "caller", "via", "address", "operation", "area", "host", "subject", "outcome", "detail") overriding system value values (1795262400000034, 1795262402000000, E'admin ''; --', E'rest', E'192.0.2.7', E'account.add', E'account', E'example.net', E'lärche@example.net', E'done', E'näme: 🚀');
delete from cluster_address;
insert into cluster_address ("cluster", "node", "address") overriding system value values (E'example', E'a', E'192.0.2.1:7800');
delete from cluster_node;
insert into cluster_node ("number", "name", "generation", "next", "removals", "incarnation", "fenced") overriding system value values (0, E'a', 2, 1, 0, 0, 0);
delete from cluster_row;
insert into cluster_row ("name", "epoch", "members", "incarnations", "renewals") overriding system value values (E'example', 1, E'a 7 draining', E'/frames 2,a 7', 0);
delete from cluster_setting;
insert into cluster_setting ("id", "name", "value") overriding system value values (1, E'full-text', E'true');
insert into cluster_setting ("id", "name", "value") overriding system value values (2, E'secret', E'5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e');
delete from journal_event;
insert into journal_event ("id", "node", "place", "reason", "sender", "sender_resource", "receiver", "receiver_resource", "kind", "stanza", "identity", "detail") overriding system value values (1000000, E'', E'home', E'not-connected', E'romeo@example.net', E'phone', null, null, E'chat', null, 0, null);
insert into journal_event ("id", "node", "place", "reason", "sender", "sender_resource", "receiver", "receiver_resource", "kind", "stanza", "identity", "detail") overriding system value values (1000001, E'n1', E'home', E'not-connected', E'romeo@example.net', E'phone', E'juliet@example.net', null, E'chat', E'''; --', 1, E'näme');
insert into journal_event ("id", "node", "place", "reason", "sender", "sender_resource", "receiver", "receiver_resource", "kind", "stanza", "identity", "detail") overriding system value values (1000002, E'n1', E'home', E'not-connected', E'romeo@example.net', E'phone', E'juliet@example.net', null, E'chat', E'''; --', 2, E'näme');
delete from key_value;
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'empty', E'k', '\x');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E' ', '\x20');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E'A', '\x41');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E'a', '\x61');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E'é', '\x65cc81');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '\x7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E'{urn:x}🚀', '\x7b75726e3a787df09f9a80');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'private', E'é', '\xc3a9');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (1, E'vcard', E'photo', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (2, E'vcard', E'', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (8, E'host', E'a key', '\x01');
insert into key_value ("owner_id", "store", "key", "value") overriding system value values (8, E'removed-accounts', E'last', '\x');
delete from message;
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000035, 2, E'romeo@example.net/phone', 1, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264303c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303335272f3e3c2f6d6573736167653e', 2391239720, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000036, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264313c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303336272f3e3c2f6d6573736167653e', 6017528, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000037, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264323c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303337272f3e3c2f6d6573736167653e', 610571383, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000038, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64792f3e3c2f6d6573736167653e', 2161680902, 1, E'juliet@example.net', '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264333c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303338272f3e3c2f6d6573736167653e', 3230780515, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000039, 2, E'romeo@example.net/phone', 1, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264343c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303339272f3e3c2f6d6573736167653e', 2450094930, 1, E'juliet@example.net', '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e636f727265637465643c2f626f64793e3c2f6d6573736167653e', 2232441275, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000040, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264353c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303430272f3e3c2f6d6573736167653e', 3409606861, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000041, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264363c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303431272f3e3c2f6d6573736167653e', 4010097986, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000042, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264373c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303432272f3e3c2f6d6573736167653e', 2425114777, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000043, 2, E'romeo@example.net/phone', 1, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264383c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303433272f3e3c2f6d6573736167653e', 2162880712, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000044, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f7264393c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303434272f3e3c2f6d6573736167653e', 1539796721, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000045, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431303c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303435272f3e3c2f6d6573736167653e', 835169891, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000046, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431313c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303436272f3e3c2f6d6573736167653e', 1616060272, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000047, 2, E'romeo@example.net/phone', 1, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431323c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303437272f3e3c2f6d6573736167653e', 1583812935, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000048, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431333c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303438272f3e3c2f6d6573736167653e', 834578413, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000049, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431343c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303439272f3e3c2f6d6573736167653e', 474090128, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000050, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431353c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303530272f3e3c2f6d6573736167653e', 699706332, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000051, 2, E'romeo@example.net/phone', 1, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431363c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303531272f3e3c2f6d6573736167653e', 394307051, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000052, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431373c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303532272f3e3c2f6d6573736167653e', 3748456979, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000053, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431383c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303533272f3e3c2f6d6573736167653e', 3573613050, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000054, 2, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e73686172656420776f726431393c2f626f64793e3c7374616e7a612d696420786d6c6e733d2775726e3a786d70703a7369643a30272062793d276a756c696574406578616d706c652e6e6574272069643d2731373935323632343030303030303534272f3e3c2f6d6573736167653e', 3513029376, 1, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000055, 2, E'romeo@example.net/phone', 1, 0, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e6f6e6c7920756e74696c2064656c69766572656420f09f9a803c2f626f64793e3c2f6d6573736167653e', 2286955937, null, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000056, 2, E'romeo@example.net/phone', 1, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d276a756c696574406578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e7878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878783c2f626f64793e3c2f6d6573736167653e', 3944067770, null, null, null, null, null);
insert into message ("id", "owner_id", "peer", "waiting", "archive", "stanza", "checksum", "sender_id", "sender_peer", "sender_stanza", "sender_checksum", "origin") overriding system value values (1795262400000057, 4, E'romeo@example.net/phone', 0, 1, '\x3c6d6573736167652066726f6d3d27726f6d656f406578616d706c652e6e65742f70686f6e652720746f3d2767617264656e40726f6f6d732e6578616d706c652e6e6574272069643d276964312720747970653d2763686174273e3c626f64793e7361696420696e207468652067617264656e3c2f626f64793e3c2f6d6573736167653e', 3152200567, null, null, null, null, null);
delete from message_id;
insert into message_id ("one", "next") overriding system value values (1, 1795262400000060);
delete from meter_history;
insert into meter_history ("since", "step", "node", "data") overriding system value values (0, 60, E'', '\x00ff');
insert into meter_history ("since", "step", "node", "data") overriding system value values (0, 60, E'n''1', '\x00ff');
insert into meter_history ("since", "step", "node", "data") overriding system value values (3600, 60, E'n''1', '\x00ff');
delete from pubsub_node;
insert into pubsub_node ("id", "owner_id", "name", "creator", "created", "settings", "items", "bytes", "listed", "entries", "presence") overriding system value values (1795262400000024, 1, E'urn:x', E'juliet@example.net', 1795262400000000, E'access_model=open\n', 4, 116, 1, 0, 0);
insert into pubsub_node ("id", "owner_id", "name", "creator", "created", "settings", "items", "bytes", "listed", "entries", "presence") overriding system value values (1795262400000025, 1, E'nöde ''; --', E'juliet@example.net', 1795262400000000, E'access_model=open\n', 4, 116, 1, 0, 0);
insert into pubsub_node ("id", "owner_id", "name", "creator", "created", "settings", "items", "bytes", "listed", "entries", "presence") overriding system value values (1795262400000026, 7, E'urn:x', E'juliet@example.net', 1795262400000000, E'access_model=open\n', 4, 116, 1, 0, 0);
insert into pubsub_node ("id", "owner_id", "name", "creator", "created", "settings", "items", "bytes", "listed", "entries", "presence") overriding system value values (1795262400000027, 7, E'nöde ''; --', E'juliet@example.net', 1795262400000000, E'access_model=open\n', 4, 116, 1, 0, 0);
delete from pubsub_subscription;
insert into pubsub_subscription ("node_id", "subid", "jid", "state", "options") overriding system value values (1795262400000024, E's1', E'romeo@example.net/phone', E'subscribed', E'deliver=0');
insert into pubsub_subscription ("node_id", "subid", "jid", "state", "options") overriding system value values (1795262400000025, E's1', E'romeo@example.net/phone', E'subscribed', E'deliver=0');
insert into pubsub_subscription ("node_id", "subid", "jid", "state", "options") overriding system value values (1795262400000026, E's1', E'romeo@example.net/phone', E'subscribed', E'deliver=0');
insert into pubsub_subscription ("node_id", "subid", "jid", "state", "options") overriding system value values (1795262400000027, E's1', E'romeo@example.net/phone', E'subscribed', E'deliver=0');
delete from removed_owner;
insert into removed_owner ("owner_id", "erased_to") overriding system value values (77, -1);
insert into removed_owner ("owner_id", "erased_to") overriding system value values (9, 1795262400000058);
delete from removed_room;
insert into removed_room ("owner_id", "domain", "local", "removed", "created", "persistent", "listed", "name", "settings", "creator") overriding system value values (6, E'rooms.example.net', E'cave', 1795262401000000, 1795262400000000, 1, 1, E'The cäve', E'b = 2\n', E'juliet@example.net');
delete from room;
insert into room ("owner_id", "domain", "local", "created", "persistent", "listed", "name", "settings", "folded", "creator") overriding system value values (4, E'rooms.example.net', E'garden', 1795262400000000, 1, 1, E'The garden', E'a = 1\n', E'garden￿the garden', E'juliet@example.net');
insert into room ("owner_id", "domain", "local", "created", "persistent", "listed", "name", "settings", "folded", "creator") overriding system value values (5, E'rooms.example.net', E'tomb', 1795262400000000, 0, 0, E'', E'', E'tomb￿', null);
delete from room_affiliation;
insert into room_affiliation ("owner_id", "jid", "affiliation", "nick", "reason") overriding system value values (4, E'example.org', E'outcast', null, E'the whole domain');
insert into room_affiliation ("owner_id", "jid", "affiliation", "nick", "reason") overriding system value values (4, E'juliet@example.net', E'owner', E'Juliet', null);
insert into room_affiliation ("owner_id", "jid", "affiliation", "nick", "reason") overriding system value values (4, E'romeo@example.net', E'member', null, E'');
insert into room_affiliation ("owner_id", "jid", "affiliation", "nick", "reason") overriding system value values (6, E'juliet@example.net', E'owner', null, null);
delete from roster_item;
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact0@example.org', null, E'BOTH', 1, 1, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact1@example.org', E'', E'NONE', 0, 0, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact2@example.org', E'Näme 🚀 2', E'BOTH', 1, 0, 1, E'', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact3@example.org', E'Näme 🚀 3', E'NONE', 0, 1, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact4@example.org', E'Näme 🚀 4', E'BOTH', 1, 0, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact5@example.org', E'Näme 🚀 5', E'NONE', 0, 0, 0, E'Friends\n''; --‮\n', '\x3c70726573656e63652066726f6d3d27726f6d656f406578616d706c652e6e65742720746f3d276a756c696574406578616d706c652e6e65742720747970653d27737562736372696265272f3e');
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (1, E'contact6@example.org', E'Näme 🚀 6', E'BOTH', 1, 1, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact0@example.org', null, E'BOTH', 1, 1, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact1@example.org', E'', E'NONE', 0, 0, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact2@example.org', E'Näme 🚀 2', E'BOTH', 1, 0, 1, E'', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact3@example.org', E'Näme 🚀 3', E'NONE', 0, 1, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact4@example.org', E'Näme 🚀 4', E'BOTH', 1, 0, 1, E'Friends\n''; --‮\n', null);
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact5@example.org', E'Näme 🚀 5', E'NONE', 0, 0, 0, E'Friends\n''; --‮\n', '\x3c70726573656e63652066726f6d3d27726f6d656f406578616d706c652e6e65742720746f3d276a756c696574406578616d706c652e6e65742720747970653d27737562736372696265272f3e');
insert into roster_item ("owner_id", "jid", "name", "subscription", "ask", "approved", "listed", "groups", "request") overriding system value values (2, E'contact6@example.org', E'Näme 🚀 6', E'BOTH', 1, 1, 1, E'Friends\n''; --‮\n', null);
delete from roster_version;
insert into roster_version ("owner_id", "version") overriding system value values (1, 1795262400000023);
insert into roster_version ("owner_id", "version") overriding system value values (2, 1795262400000022);
delete from scram_keys;
insert into scram_keys ("account_id", "hash", "salt", "iterations", "stored_key", "server_key") overriding system value values (1, E'SHA-256', '\x0100ff7f', 4097, '\x73746f72656431', '\x0100ff7f');
insert into scram_keys ("account_id", "hash", "salt", "iterations", "stored_key", "server_key") overriding system value values (1, E'SHA-512', '\x0200ff7f', 4098, '\x73746f72656432', '\x0200ff7f');
insert into scram_keys ("account_id", "hash", "salt", "iterations", "stored_key", "server_key") overriding system value values (2, E'SHA-256', '\x0100ff7f', 4097, '\x73746f72656431', '\x0100ff7f');
insert into scram_keys ("account_id", "hash", "salt", "iterations", "stored_key", "server_key") overriding system value values (2, E'SHA-512', '\x0200ff7f', 4098, '\x73746f72656432', '\x0200ff7f');
delete from trace_step;
insert into trace_step ("id", "trace", "time", "node", "place", "verdict", "reason", "detail") overriding system value values (2000000, 1, 5, E'', E'home', E'received', null, null);
insert into trace_step ("id", "trace", "time", "node", "place", "verdict", "reason", "detail") overriding system value values (2000001, 2, 5, E'', E'home', E'received', E'näme''; --', E'näme''; --');
insert into trace_step ("id", "trace", "time", "node", "place", "verdict", "reason", "detail") overriding system value values (2000002, 3, 5, E'', E'home', E'received', E'näme''; --', E'näme''; --');
delete from traced_message;
insert into traced_message ("id", "trace", "chosen", "node", "sender", "sender_resource", "receiver", "receiver_resource", "kind", "stanza") overriding system value values (1000000, 1, E't1', E'', E'romeo@example.net', E'phone', null, null, E'chat', null);
insert into traced_message ("id", "trace", "chosen", "node", "sender", "sender_resource", "receiver", "receiver_resource", "kind", "stanza") overriding system value values (1000001, 2, E't1', E'n1', E'romeo@example.net', E'phone', E'juliet@example.net', null, E'chat', E'näme''; --');
insert into traced_message ("id", "trace", "chosen", "node", "sender", "sender_resource", "receiver", "receiver_resource", "kind", "stanza") overriding system value values (1000002, 3, E't1', E'n1', E'romeo@example.net', E'phone', E'juliet@example.net', null, E'chat', E'näme''; --');
delete from upload;
insert into upload ("id", "owner_id", "slot", "name", "type", "size", "hash", "created", "expires") overriding system value values (1795262400000029, 1, E'slot0', E'nöte ''; --.txt', E'text/plain', 0, E'abababababababababababababababababababababababababababababababab', 1795262400000000, 0);
insert into upload ("id", "owner_id", "slot", "name", "type", "size", "hash", "created", "expires") overriding system value values (1795262400000030, 1, E'slot1', E'nöte ''; --.txt', E'text/plain', 1, E'abababababababababababababababababababababababababababababababab', 1795262400000000, 1795262401000000);
insert into upload ("id", "owner_id", "slot", "name", "type", "size", "hash", "created", "expires") overriding system value values (1795262400000031, 1, E'slot2', E'nöte ''; --.txt', E'text/plain', 2, E'abababababababababababababababababababababababababababababababab', 1795262400000000, 1795262402000000);
delete from zonda_schema;
insert into zonda_schema ("version", "generation", "oldest") overriding system value values (18, 2, 18);
delete from pubsub_affiliation;
insert into pubsub_affiliation ("node_id", "jid", "affiliation") overriding system value values (1795262400000024, E'juliet@example.net', E'owner');
insert into pubsub_affiliation ("node_id", "jid", "affiliation") overriding system value values (1795262400000025, E'juliet@example.net', E'owner');
insert into pubsub_affiliation ("node_id", "jid", "affiliation") overriding system value values (1795262400000026, E'juliet@example.net', E'owner');
insert into pubsub_affiliation ("node_id", "jid", "affiliation") overriding system value values (1795262400000027, E'juliet@example.net', E'owner');
delete from pubsub_association;
insert into pubsub_association ("collection_id", "child_id") overriding system value values (1795262400000024, 1795262400000025);
insert into pubsub_association ("collection_id", "child_id") overriding system value values (1795262400000026, 1795262400000027);
delete from pubsub_item;
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000024, 2, E'i1', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000024, 3, E'i2', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000024, 4, E'i3', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000024, 5, E'i4', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000025, 2, E'i1', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000025, 3, E'i2', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000025, 4, E'i3', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000025, 5, E'i4', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000026, 2, E'i1', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000026, 3, E'i2', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000026, 4, E'i3', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000026, 5, E'i4', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000027, 2, E'i1', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020313c2f783e', 2);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000027, 3, E'i2', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020323c2f783e', 3);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000027, 4, E'i3', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020333c2f783e', 4);
insert into pubsub_item ("node_id", "position", "item", "publisher", "published", "size", "payload", "first_position") overriding system value values (1795262400000027, 5, E'i4', E'romeo@example.net/phone', 1795262400000000, 29, '\x3c7820786d6c6e733d2775726e3a78273ef09f9a8020343c2f783e', 5);
select setval(pg_get_serial_sequence('account', 'id'), 9);
