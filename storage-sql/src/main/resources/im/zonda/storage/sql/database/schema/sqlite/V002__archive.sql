-- Archived entries by owner, and by owner and other party. Filled behind the log in sorted slices
-- (decision 0009); what is not in them yet is found by reading the end of the log.
create table archive_time (
  owner_id integer not null,
  id integer not null,
  primary key (owner_id, id)
) strict, without rowid;

create table archive_peer (
  owner_id integer not null,
  peer integer not null, -- CRC-32C of the other party's bare address
  id integer not null,
  resource integer not null, -- CRC-32C of its resource, 0 if there is none
  primary key (owner_id, peer, id)
) strict, without rowid;

-- Words of archived entries, each with its owner's number before it; rowid is the entry's id.
create virtual table archive_text using fts5 (
  words, content = '', contentless_delete = 1, detail = none,
  tokenize = "ascii tokenchars '_'"
);

-- One row: archived entries up to these ids are in the tables above.
create table archive_mark (
  one integer primary key check (one = 1),
  indexed_to integer not null,
  text_to integer not null
) strict;

insert into archive_mark (one, indexed_to, text_to) values (1, 0, 0);
