-- What was measured, in parts.
create table meter_history (
  since integer not null, -- of the first step, in seconds since 1970
  step integer not null, -- seconds
  node text not null, -- of the cluster; empty without one
  data blob not null,
  primary key (since, step, node)
) strict;
