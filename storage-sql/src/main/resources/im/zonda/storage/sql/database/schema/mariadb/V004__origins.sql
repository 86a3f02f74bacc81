-- Which stanza of the cluster an entry comes from, a hash; null without a cluster. A stanza that is sent
-- again after the death of a node is looked up by it, among the newest ids.
alter table message add column if not exists origin bigint;

-- The member that the node's process is, 0 before it is one; the cluster has gone on without members up
-- to `fenced`, and they must not write.
alter table cluster_node add column if not exists incarnation bigint not null default 0;
alter table cluster_node add column if not exists fenced bigint not null default 0;
