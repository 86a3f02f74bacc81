-- Rooms that were removed and can be restored. Each keeps its row in account, and with it all its
-- data, under the local part // and its number, so that its address is free.
create table removed_room (
  owner_id integer primary key references account (id) on delete cascade,
  domain text not null,
  local text not null,
  removed integer not null, -- microseconds since 1970
  created integer not null, -- microseconds since 1970
  persistent integer not null,
  listed integer not null,
  name text not null,
  settings text not null,
  creator text -- bare address, null where it is not known
) strict;

create index removed_room_time on removed_room (domain, removed);

create index removed_room_creator on removed_room (creator, domain, removed);
