-- The row of each cluster that uses the database: which processes are its members.
create table if not exists cluster_row (
  name varbinary(255) primary key,
  epoch bigint not null,
  members longtext not null, -- name and incarnation of each, such as `a 7,b 9`
  incarnations longtext not null, -- the highest of each node, in the same form
  renewals bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
