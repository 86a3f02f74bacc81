-- Services with nodes of many users: whether a node is listed, what a user has created, and where a
-- user is affiliated or subscribed.
alter table pubsub_node add column if not exists listed integer not null default 1;

-- affiliations and subscriptions, as far as they were counted
alter table pubsub_node add column if not exists entries integer not null default 0;

create index if not exists pubsub_node_creator on pubsub_node (owner_id, creator (767));

create index if not exists pubsub_affiliation_jid on pubsub_affiliation (jid (767), node_id);

create index if not exists pubsub_subscription_jid on pubsub_subscription (jid (767), node_id);
