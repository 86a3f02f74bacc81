-- What was measured, in parts.
create table meter_history (
  since bigint not null, -- of the first step, in seconds since 1970
  step integer not null, -- seconds
  node text collate "C" not null, -- of the cluster; empty without one
  data bytea not null,
  primary key (since, step, node)
);
