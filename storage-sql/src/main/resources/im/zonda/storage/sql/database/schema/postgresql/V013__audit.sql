-- What administrators have done or tried to do.
create table audit_event (
  id bigint primary key, -- from the clock of the message ids, so no other node issues it
  time bigint not null, -- microseconds since 1970
  caller text collate "C" not null,
  via text collate "C" not null, -- the way by which the caller came
  address text collate "C", -- network address of the caller
  operation text collate "C" not null,
  area text collate "C" not null, -- the operation up to its first dot
  host text collate "C",
  subject text collate "C", -- the address that it was about
  outcome text collate "C" not null,
  detail text collate "C"
);

create index audit_event_time on audit_event (time);

create index audit_event_caller on audit_event (caller, id);

create index audit_event_operation on audit_event (operation, id);

create index audit_event_area on audit_event (area, id);

create index audit_event_host on audit_event (host, id);

create index audit_event_subject on audit_event (subject, id);
