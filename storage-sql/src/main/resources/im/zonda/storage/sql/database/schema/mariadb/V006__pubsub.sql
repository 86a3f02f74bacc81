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
