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
