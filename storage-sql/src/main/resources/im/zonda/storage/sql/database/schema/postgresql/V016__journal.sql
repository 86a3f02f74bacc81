-- Stanzas that were not delivered as usual, without their contents.
create table journal_event (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  node text collate "C" not null, -- of the cluster; empty without one
  place text collate "C" not null,
  reason text collate "C" not null,
  sender text collate "C", -- bare address
  sender_resource text collate "C",
  receiver text collate "C", -- bare address
  receiver_resource text collate "C",
  kind text collate "C" not null,
  stanza text collate "C", -- the id of the stanza
  identity bigint not null, -- by which all nodes recognise the stanza, or 0
  detail text collate "C"
);

create index journal_event_sender on journal_event (sender, id);

create index journal_event_receiver on journal_event (receiver, id);

create index journal_event_reason on journal_event (reason, id);
