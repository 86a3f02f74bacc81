-- What was measured, in parts.
create table if not exists meter_history (
  since bigint not null, -- of the first step, in seconds since 1970
  step integer not null, -- seconds
  node varbinary(64) not null, -- of the cluster; empty without one
  data longblob not null,
  primary key (since, step, node)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
