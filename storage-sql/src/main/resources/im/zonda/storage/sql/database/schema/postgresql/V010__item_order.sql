-- The place of an item in the order of creation (XEP-0413): the position with which its id was new.
alter table pubsub_item add column first_position bigint not null default 0;

update pubsub_item set first_position = position;

create index pubsub_item_first on pubsub_item (node_id, first_position);
