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
