-- The nodes of a cluster that have ever used the database from which this one was copied: a cluster
-- does not use SQLite.
create table cluster_node (
  number integer primary key,
  name text not null unique,
  generation integer not null,
  next integer not null, -- no id below this one is given out again
  removals integer not null
);
