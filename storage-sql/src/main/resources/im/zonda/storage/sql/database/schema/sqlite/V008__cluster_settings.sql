-- What the nodes of a cluster have in common that used the database from which this one was copied: a
-- cluster does not use SQLite.
create table cluster_setting (
  id integer primary key,
  name text not null unique,
  value text not null
) strict;
