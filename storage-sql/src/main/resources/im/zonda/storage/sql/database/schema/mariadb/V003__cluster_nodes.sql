-- The nodes of a cluster that have ever used the database; each keeps its number.
create table if not exists cluster_node (
  number integer primary key, -- 0 to 63; the remainder of the ids that the node gives out
  name varbinary(1023) not null unique,
  generation bigint not null, -- how often a process of the node has opened the database
  next bigint not null, -- the node gives out no id below this one again
  removals bigint not null -- how many accounts the node has removed
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
