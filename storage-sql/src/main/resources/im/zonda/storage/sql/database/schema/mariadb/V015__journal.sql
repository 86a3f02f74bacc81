-- Stanzas that were not delivered as usual, without their contents.
create table if not exists journal_event (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  node varbinary(64) not null, -- of the cluster; empty without one
  place varbinary(64) not null,
  reason varbinary(64) not null,
  sender varbinary(2047), -- bare address
  sender_resource varbinary(1023),
  receiver varbinary(2047), -- bare address
  receiver_resource varbinary(1023),
  kind varbinary(64) not null,
  stanza varbinary(255), -- the id of the stanza
  identity bigint not null, -- by which all nodes recognise the stanza, or 0
  detail varbinary(255)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists journal_event_sender on journal_event (sender, id);

create index if not exists journal_event_receiver on journal_event (receiver, id);

create index if not exists journal_event_reason on journal_event (reason, id);
