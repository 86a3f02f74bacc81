-- Nodes that need the presence of subscribers or publishers, and which nodes are in which collections.
alter table pubsub_node add column if not exists presence integer not null default 0;

create table if not exists pubsub_association (
  collection_id bigint not null references pubsub_node (id) on delete cascade,
  child_id bigint not null references pubsub_node (id) on delete cascade,
  primary key (collection_id, child_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists pubsub_association_child on pubsub_association (child_id, collection_id);
