-- Messages that were traced, without their contents.
create table if not exists traced_message (
  id bigint primary key, -- microseconds since 1970, from the clock of the message ids
  trace bigint not null, -- what its steps have
  chosen varbinary(64) not null, -- the choice that it fits
  node varbinary(64) not null, -- of the cluster; empty without one
  sender varbinary(2047), -- bare address
  sender_resource varbinary(1023),
  receiver varbinary(2047), -- bare address
  receiver_resource varbinary(1023),
  kind varbinary(64) not null,
  stanza varbinary(255) -- the id of the stanza
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists traced_message_trace on traced_message (trace, id);

create index if not exists traced_message_chosen on traced_message (chosen, id);

create index if not exists traced_message_sender on traced_message (sender, id);

create index if not exists traced_message_receiver on traced_message (receiver, id);

-- Their steps.
create table if not exists trace_step (
  id bigint primary key, -- from the clock of the message ids
  trace bigint not null,
  time bigint not null, -- microseconds since 1970
  node varbinary(64) not null, -- of the cluster; empty without one
  place varbinary(64) not null,
  verdict varbinary(64) not null,
  reason varbinary(64),
  detail varbinary(255)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists trace_step_trace on trace_step (trace, id);
