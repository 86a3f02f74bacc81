-- Publish-subscribe nodes. The owner is an account, or the domain of a service, whose row in account
-- has the local part '/'.
create table pubsub_node (
  id integer primary key, -- from the clock of the message ids, so no other database issues it
  owner_id integer not null references account (id) on delete cascade,
  name text not null,
  creator text not null,
  created integer not null, -- microseconds since 1970
  settings text not null,
  items integer not null, -- how many rows pubsub_item has of the node
  bytes integer not null, -- the sum of their sizes
  unique (owner_id, name)
) strict;

create table pubsub_affiliation (
  node_id integer not null references pubsub_node (id) on delete cascade,
  jid text not null,
  affiliation text not null,
  primary key (node_id, jid)
) strict, without rowid;

create table pubsub_subscription (
  node_id integer not null references pubsub_node (id) on delete cascade,
  subid text not null,
  jid text not null,
  state text not null,
  options text not null,
  primary key (node_id, subid)
) strict, without rowid;

create table pubsub_item (
  node_id integer not null references pubsub_node (id) on delete cascade,
  position integer not null, -- grows with each item that is published
  item text not null,
  publisher text not null,
  published integer not null, -- microseconds since 1970
  size integer not null, -- of the payload and the id, in bytes
  payload blob not null,
  primary key (node_id, position),
  unique (node_id, item)
) strict;
