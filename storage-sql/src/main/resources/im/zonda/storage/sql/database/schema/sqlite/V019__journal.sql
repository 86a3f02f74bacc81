-- Stanzas that were not delivered as usual, without their contents.
create table journal_event (
  id integer primary key, -- microseconds since 1970, from the clock of the message ids
  node text not null, -- of the cluster; empty without one
  place text not null,
  reason text not null,
  sender text, -- bare address
  sender_resource text,
  receiver text, -- bare address
  receiver_resource text,
  kind text not null,
  stanza text, -- the id of the stanza
  identity integer not null, -- by which all nodes recognise the stanza, or 0
  detail text
) strict;

create index journal_event_sender on journal_event (sender, id);

create index journal_event_receiver on journal_event (receiver, id);

create index journal_event_reason on journal_event (reason, id);
