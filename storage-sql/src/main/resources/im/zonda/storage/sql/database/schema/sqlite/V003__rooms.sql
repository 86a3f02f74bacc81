-- To the log, the archive and the values a room is an owner like an account, so each has a row in
-- account too. Its address stands here once more, so that rooms can be read in its order.
create table room (
  owner_id integer primary key references account (id) on delete cascade,
  domain text not null,
  local text not null,
  created integer not null, -- microseconds since 1970
  persistent integer not null,
  listed integer not null,
  name text not null,
  settings text not null,
  folded text not null, -- the local part and the name as they are searched
  unique (domain, local)
) strict;

-- With what a search reads, so that it reads nothing else.
create index room_listed on room (domain, local, folded) where listed = 1;

create index room_temporary on room (domain, local) where persistent = 0;

create table room_affiliation (
  owner_id integer not null references account (id) on delete cascade,
  jid text not null,
  affiliation text not null,
  nick text,
  reason text,
  primary key (owner_id, jid)
) strict, without rowid;

-- How many rooms someone owns.
create index room_owner on room_affiliation (jid) where affiliation = 'owner';
