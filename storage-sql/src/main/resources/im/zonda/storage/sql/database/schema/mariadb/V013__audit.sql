-- What administrators have done or tried to do.
create table if not exists audit_event (
  id bigint primary key, -- from the clock of the message ids, so no other node issues it
  time bigint not null, -- microseconds since 1970
  caller varbinary(255) not null,
  via varbinary(64) not null, -- the way by which the caller came
  address varbinary(255), -- network address of the caller
  operation varbinary(64) not null,
  area varbinary(64) not null, -- the operation up to its first dot
  host varbinary(1023),
  subject varbinary(2047), -- the address that it was about
  outcome varbinary(64) not null,
  detail longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists audit_event_time on audit_event (time);

create index if not exists audit_event_caller on audit_event (caller, id);

create index if not exists audit_event_operation on audit_event (operation, id);

create index if not exists audit_event_area on audit_event (area, id);

create index if not exists audit_event_host on audit_event (host, id);

create index if not exists audit_event_subject on audit_event (subject, id);
