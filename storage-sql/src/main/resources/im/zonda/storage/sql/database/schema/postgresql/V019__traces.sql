-- Messages that were traced, without their contents.
create table traced_message (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  trace bigint not null, -- what its steps have
  chosen text collate "C" not null, -- the choice that it fits
  node text collate "C" not null, -- of the cluster; empty without one
  sender text collate "C", -- bare address
  sender_resource text collate "C",
  receiver text collate "C", -- bare address
  receiver_resource text collate "C",
  kind text collate "C" not null,
  stanza text collate "C" -- the id of the stanza
);

create index traced_message_trace on traced_message (trace, id);

create index traced_message_chosen on traced_message (chosen, id);

create index traced_message_sender on traced_message (sender, id);

create index traced_message_receiver on traced_message (receiver, id);

-- Their steps.
create table trace_step (
  id bigint primary key, -- from the clock of the message ids
  trace bigint not null,
  time bigint not null, -- microseconds since 1970
  node text collate "C" not null, -- of the cluster; empty without one
  place text collate "C" not null,
  verdict text collate "C" not null,
  reason text collate "C",
  detail text collate "C"
);

create index trace_step_trace on trace_step (trace, id);
