-- The place of an item in the order of creation (XEP-0413): the position with which its id was new.
alter table pubsub_item add column if not exists first_position bigint not null default 0;

update pubsub_item set first_position = position where first_position = 0;

create index if not exists pubsub_item_first on pubsub_item (node_id, first_position);
