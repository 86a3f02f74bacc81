-- What the nodes of a cluster have in common.
create table if not exists cluster_setting (
  id integer primary key,
  name varbinary(255) not null unique,
  value longtext not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Where the nodes that run, or that were killed, can be reached by others.
create table if not exists cluster_address (
  cluster varbinary(255) not null,
  node varbinary(255) not null,
  address longtext not null, -- host and port, such as `192.0.2.1:7800`
  primary key (cluster, node)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
