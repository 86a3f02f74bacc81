-- What a cluster keeps, for copies from and to its database: a cluster does not use SQLite.
alter table message add column origin integer;
alter table cluster_node add column incarnation integer not null default 0;
alter table cluster_node add column fenced integer not null default 0;
