-- What the nodes of a cluster have in common.
create table cluster_setting (
  id integer primary key,
  name text collate "C" not null unique,
  value text not null
);

-- Where the nodes that run, or that were killed, can be reached by others.
create table cluster_address (
  cluster text collate "C" not null,
  node text collate "C" not null,
  address text not null, -- host and port, such as `192.0.2.1:7800`
  primary key (cluster, node)
);
