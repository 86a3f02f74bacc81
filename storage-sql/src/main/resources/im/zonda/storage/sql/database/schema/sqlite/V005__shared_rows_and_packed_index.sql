-- The archive's index is packed (decision 0015). The log is read for it once more in the background.
drop table archive_time;
drop table archive_peer;

update archive_mark set indexed_to = 0;

-- Parts of the index. A slice is complete if its level is 0 or higher.
create table archive_slice (
  slice integer primary key,
  level integer not null, -- how often merged; -1: being written; -2: to be deleted
  first_id integer not null,
  last_id integer not null,
  entries integer not null,
  removed integer not null -- about how many entries are of messages that have been removed
) strict;

-- Entries of a slice, sorted by key and id and packed; key and id of the last one. Slice 0 has
-- entries that were late, one a row.
create table archive_chunk (
  slice integer not null,
  last_key integer not null,
  last_id integer not null,
  data blob not null,
  primary key (slice, last_key, last_id)
) strict, without rowid;

-- The owner has no archived messages with ids below this.
alter table account add column archived_from integer not null default 0;

-- A message between two accounts is one row. The sender, if it has the message in its archive in the
-- row of the receiver; and its part, after the message of either has been replaced.
alter table message add column sender_id integer;
alter table message add column sender_peer text;
alter table message add column sender_stanza blob;
alter table message add column sender_checksum integer;

update removed_owner set erased_to = -1;
