-- Messages that were traced, without their contents.
create table traced_message (
  id integer primary key, -- microseconds since 1970, from the clock of the message ids
  trace integer not null, -- what its steps have
  chosen text not null, -- the choice that it fits
  node text not null, -- of the cluster; empty without one
  sender text, -- bare address
  sender_resource text,
  receiver text, -- bare address
  receiver_resource text,
  kind text not null,
  stanza text -- the id of the stanza
) strict;

create index traced_message_trace on traced_message (trace, id);

create index traced_message_chosen on traced_message (chosen, id);

create index traced_message_sender on traced_message (sender, id);

create index traced_message_receiver on traced_message (receiver, id);

-- Their steps.
create table trace_step (
  id integer primary key, -- from the clock of the message ids
  trace integer not null,
  time integer not null, -- microseconds since 1970
  node text not null, -- of the cluster; empty without one
  place text not null,
  verdict text not null,
  reason text,
  detail text
) strict;

create index trace_step_trace on trace_step (trace, id);
