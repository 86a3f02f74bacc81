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
