-- The row of each cluster that uses the database: which processes are its members.
create table cluster_row (
  name text collate "C" primary key,
  epoch bigint not null,
  members text not null, -- name and incarnation of each, such as `a 7,b 9`
  incarnations text not null, -- the highest of each node, in the same form
  renewals bigint not null
);
