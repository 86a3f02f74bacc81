-- The nodes of a cluster that have ever used the database; each keeps its number.
create table cluster_node (
  number integer primary key, -- 0 to 63; the remainder of the ids that the node gives out
  name text collate "C" not null unique,
  generation bigint not null, -- how often a process of the node has opened the database
  next bigint not null, -- the node gives out no id below this one again
  removals bigint not null -- how many accounts the node has removed
);
